import { type Body, objectIn, objectsIn } from '../rewrite/json.ts';
import type { ProxyRequest } from '../rewrite/mutation.ts';
import { isJsonObject, parseJson } from '../values/json.ts';
import type { Deviation, Given } from './deviation.ts';
import { inAnswers } from './in-answers.ts';

/** What stands for a member in an answer of a chat that lacks it. A count is 1: it is judged nowhere. */
const instead: Readonly<Record<string, (body: Body, request: ProxyRequest, id: string) => unknown>> = {
  id: (_body, _request, id) => id,
  object: (body) => (isChunk(body) ? 'chat.completion.chunk' : 'chat.completion'),
  created: () => Math.floor(Date.now() / 1000),
  model: (_body, { body }) => objectIn(body)?.model,
  usage: (body) =>
    isChunk(body) && !objectsIn(body.choices).some((choice) => typeof choice.finish_reason === 'string')
      ? undefined
      : { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

/** Rules about counts: nothing can be said of them where there are none. */
const ofUsage = /^(?:RESP-01[4-9]|RESP-02[0-2]|SSE-009|SSE-01[01]|SSE-023|TOOL-020|CACHE-00[679])$/;

/** Small gateways pass on what clients read, and no more. */
export const lackingMembers: Deviation = {
  id: 'lacking-members',
  title: 'answers of chats lack these members',
  requirement: 'RESP-001',
  also: ['RESP-002', 'RESP-003', 'RESP-004', 'RESP-014', 'SSE-001', 'SSE-002', 'SSE-003'],
  fits: ({ aspect, actual }) =>
    ['shape', 'chunk-shape'].includes(aspect) &&
    /^\/(?:id|object|created|model|usage) must have required/.test(actual),
  seen: (failures) => {
    const bodies = failures.flatMap(({ exchange }) => bodiesIn(exchange?.response?.body ?? ''));
    const names = Object.keys(instead).filter((name) =>
      bodies.some((body) => isMissing(body, name) && (name !== 'usage' || !isChunk(body))),
    );
    return names.length === 0 ? null : `[${names.join(', ')}]`;
  },
  // Others know an answer by its object.
  isFirst: true,
  checks: ['resp.shape.every-model', 'sse.shape.every-model'],
  takes: 'the members that answers lack, such as [id, created]',
  undo: (given) => {
    const names = namesIn(given);
    if (names === null) return null;
    const ids = new WeakMap<ProxyRequest, string>();
    let answers = 0;
    return inAnswers((body, request) => {
      if (!Array.isArray(body.choices)) return;
      const id = ids.get(request) ?? `lacking-${answers}`;
      answers += 1;
      if (isChunk(body)) ids.set(request, id);
      const added = names
        .filter((name) => isMissing(body, name))
        .map((name) => [name, instead[name]?.(body, request, id)] as const)
        .filter(([, value]) => value !== undefined);
      if (added.length === 0) return;
      // They stand first, where gateways write them: a body that lacks nothing else is then the same text.
      const rest = Object.entries(body).filter(([name]) => !added.some(([other]) => other === name));
      for (const name of Object.keys(body)) delete body[name];
      Object.assign(body, Object.fromEntries([...added, ...rest]));
    });
  },
  silences: (given) => (namesIn(given)?.includes('usage') === true ? (rule) => ofUsage.test(rule) : null),
};

function namesIn(given: Given | undefined): readonly string[] | null {
  if (!Array.isArray(given) || given.length === 0) return null;
  const names: readonly string[] = given;
  return names.every((name) => Object.hasOwn(instead, name)) ? names : null;
}

function isMissing(body: Body, name: string): boolean {
  return (body[name] ?? null) === null;
}

function isChunk({ choices, object }: Body): boolean {
  return object === 'chat.completion.chunk' || objectsIn(choices).some(({ delta }) => isJsonObject(delta));
}

/** Chats in a body that is shown: one, or the chunks of a stream. */
function bodiesIn(shown: string): Body[] {
  return shown
    .split('\n')
    .map((line) => parseJson(line.replace(/^data: ?/, '')))
    .filter((body): body is Body => isJsonObject(body) && Array.isArray(body.choices));
}
