import type { Frame } from '../../answers/native-answer.ts';
import type { Pace } from '../../latency/pace.ts';
import type { Completion } from './reply.ts';

/**
 * A completion as server-sent events, one frame each. The role is sent at once, every content delta when it is
 * due: first the text, then for each call its opening and its argument fragments. Then come finish, usage (when
 * the request asks for it) and [DONE].
 */
export function streamFrames(completion: Completion, includeUsage: boolean, pace: Pace): Frame[] {
  const event = (choices: object[], usage?: object): Buffer =>
    renderEvent(renderChunk(completion, choices, includeUsage ? { usage: usage ?? null } : {}));
  const deltas = contentDeltas(completion);
  const endMs = pace.dueMs(deltas.length);
  return [
    { label: 'role', bytes: event([renderChoice(openingDelta(completion), null)]), dueMs: 0 },
    ...deltas.map((delta, k) => ({
      label: `delta-${k}`,
      bytes: event([renderChoice(delta, null)]),
      dueMs: pace.dueMs(k),
    })),
    { label: 'finish', bytes: event([renderChoice({}, completion.finish)]), dueMs: endMs },
    ...(includeUsage ? [{ label: 'usage', bytes: event([], completion.usage), dueMs: endMs }] : []),
    { label: 'done', bytes: Buffer.from('data: [DONE]\n\n'), dueMs: endMs },
  ];
}

function openingDelta({ text, calls }: Completion): object {
  return { role: 'assistant', content: text === null && calls.length > 0 ? null : '', refusal: null };
}

function contentDeltas({ textDeltas, calls }: Completion): object[] {
  const spoken = textDeltas.map((content) => ({ content }));
  const called = calls.flatMap(({ id, name, fragments }, index) => [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...fragments.map((fragment) => ({ tool_calls: [{ index, function: { arguments: fragment } }] })),
  ]);
  return [...spoken, ...called];
}

function renderChoice(delta: object, finish: string | null): object {
  return { index: 0, delta, logprobs: null, finish_reason: finish };
}

function renderChunk(
  { id, created, model, fingerprint }: Completion,
  choices: object[],
  usage: object,
): object {
  return {
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    service_tier: 'default',
    system_fingerprint: fingerprint,
    choices,
    ...usage,
  };
}

function renderEvent(chunk: object): Buffer {
  return Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
}
