import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { textBlock } from '../../oracle/sample-images.ts';
import { callOf, oneTool } from '../../oracle/sample-tools.ts';
import { part } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { judgeTexts, judgeTurns } from '../../steps/chat/judge-forwarded.ts';
import { familyModels, nativeRequest } from '../../steps/chat/upstream-view.ts';

const user = (content: unknown): JsonObject => ({ role: 'user', content });
const assistant = (content: string): JsonObject => ({ role: 'assistant', content });

const round = (prompt: string, result: string): JsonObject[] => [
  user(prompt),
  { role: 'assistant', content: null, tool_calls: [callOf('call_1')] },
  { role: 'tool', tool_call_id: 'call_1', content: result },
];

type Said = (prompt: string) => string[];

/** A conversation with little in one place, and the row that allows it. */
interface Sparse {
  readonly title: string;
  readonly requirement: string;
  readonly members: (prompt: string) => JsonObject & { readonly messages: JsonObject[] };
  /** The texts that must reach the upstream, in order. */
  readonly heard?: Said | undefined;
  /** The specification does not say whether tool calls in the history require tool definitions. */
  readonly open?: true;
  /** The specification does not say whether a conversation needs a user turn. */
  readonly isUserless?: true;
}

/** Blocks of a user turn. Some dialects reject blocks of only white space. */
const blocks = (title: string, texts: Said, heard?: Said): Sparse => ({
  title,
  requirement: 'MSG-015',
  members: (prompt) => ({ messages: [user(texts(prompt).map(textBlock))] }),
  heard,
});

/** A turn between a greeting and the prompt. */
const between = (title: string, requirement: string, turn: JsonObject): Sparse => ({
  title,
  requirement,
  members: (prompt) => ({ messages: [user('Hello.'), turn, user(prompt)] }),
  heard: (prompt) => ['Hello.', prompt],
});

const conversations: readonly Sparse[] = [
  blocks(
    'a blank block between two texts',
    (prompt) => ['First.', '\n\n', prompt],
    (prompt) => [`First. ${prompt}`],
  ),
  blocks('a blank block in front', (prompt) => [' ', prompt]),
  blocks('a blank block at the end', (prompt) => [prompt, '\n']),
  between('a blank answer', 'MSG-011', assistant(' ')),
  between('an empty answer', 'MSG-011', assistant('')),
  {
    title: 'a blank user turn',
    requirement: 'MSG-007',
    members: (prompt) => ({ messages: [user(' '), assistant('Yes?'), user(prompt)] }),
    heard: (prompt) => ['Yes?', prompt],
  },
  ...[[], [{ role: 'system', content: 'Be brief.' }], [assistant('Hello.')]].map((before) => ({
    title: `answers alone, after ${JSON.stringify(before)}`,
    requirement: 'CHAT-010',
    members: (prompt: string) => ({ messages: [...before, assistant(prompt)] }),
    isUserless: true as const,
  })),
  ...['', '\n'].map((content) => ({
    title: `the system message ${JSON.stringify(content)}`,
    requirement: 'MSG-003',
    members: (prompt: string) => ({ messages: [{ role: 'system', content }, user(prompt)] }),
  })),
  {
    title: 'a blank tool result',
    requirement: 'TOOL-013',
    members: (prompt) => ({ tools: [oneTool], messages: round(prompt, ' ') }),
  },
  {
    title: 'a follow-up without tools',
    requirement: 'TOOL-012',
    members: (prompt) => ({ messages: round(prompt, 'The sea is wide.') }),
    open: true,
  },
];

export const sparseTurnsAreServed: Check = defineCheck({
  id: 'chat.transcript.sparse',
  title: 'turns and blocks without words are served, also by upstreams that take none, and nothing is lost',
  requirements: ['CHAT-010', 'MSG-003', 'MSG-007', 'MSG-011', 'MSG-015', 'TOOL-012', 'TOOL-013'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of familyModels(parts.target)) {
      for (const conversation of conversations)
        for (const stream of [false, true]) await part(() => judgeSparse(parts, conversation, model, stream));
    }
  },
});

async function judgeSparse(
  { cases, newScene, http, judge }: CheckParts,
  { title, requirement, members, heard, open, isUserless }: Sparse,
  model: string,
  stream: boolean,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const prompt = scene.prompt();
  const body = { model, ...members(prompt), ...(stream ? { stream } : {}) };
  const exchange = await http.chat(body, { label: `${title} on ${model}` });
  const rule = { requirement, aspect: open ? 'without-tools' : 'blank-accepted' };
  const isRefused = exchange.response?.status === 400;
  if (isRefused && (open || (await scene.requestsNow()).length === 0)) {
    judge.refused(exchange, { ...rule, codes: ['invalid_param'] });
    const actual = `refuses ${title}`;
    if (open || isUserless) judge.note(actual);
    else judge.advise({ ...rule, expected: 'an answer (reading B-22)', actual, exchange });
    return;
  }
  judgeAccepted(judge, body, exchange, rule);
  const native = await nativeRequest(scene, 'CHAT-010', exchange);
  if (open) judgeTurns(body, native, exchange);
  else judgeTexts(heard?.(prompt) ?? [prompt], native, exchange);
}
