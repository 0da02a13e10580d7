import type { Frame } from '../../answers/native-answer.ts';
import type { Pace } from '../../latency/pace.ts';
import type { Completion } from './reply.ts';

/** What chunks have besides their content. */
export interface ChunkForm {
  /** Whether a chunk of its own has the usage, and all others null. */
  readonly hasUsage: boolean;
  /** Whether a padding hides the length of a delta: so does the current version, unless it is told not to. */
  readonly isPadded: boolean;
}

/**
 * A completion as server-sent events, one frame each. The role is sent at once, every content delta when it is
 * due: first the text, then for each call its opening and its argument fragments. Then come finish, usage (when
 * the request asks for it) and [DONE].
 */
export function streamFrames(completion: Completion, { hasUsage, isPadded }: ChunkForm, pace: Pace): Frame[] {
  const opening = openChunk(completion);
  const event = (choices: string, usage: object | null = null): Buffer =>
    renderEvent(`${opening}${choices}]${hasUsage ? `,"usage":${JSON.stringify(usage)}` : ''}}`, isPadded);
  const deltas = contentDeltas(completion);
  const endMs = pace.dueMs(deltas.length);
  return [
    { label: 'role', bytes: event(renderChoice(openingDelta(completion), null)), dueMs: 0 },
    ...deltas.map((delta, k) => ({
      label: `delta-${k}`,
      bytes: event(renderChoice(delta, null)),
      dueMs: pace.dueMs(k),
    })),
    { label: 'finish', bytes: event(renderChoice({}, completion.finish)), dueMs: endMs },
    ...(hasUsage ? [{ label: 'usage', bytes: event('', completion.usage), dueMs: endMs }] : []),
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

function renderChoice(delta: object, finish: string | null): string {
  return `{"index":0,"delta":${JSON.stringify(delta)},"logprobs":null,"finish_reason":${JSON.stringify(finish)}}`;
}

/** A chunk up to its choices: the same in all chunks of an answer. */
function openChunk({ id, created, model, fingerprint }: Completion): string {
  const members = {
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    service_tier: 'default',
    system_fingerprint: fingerprint,
  };
  return `${JSON.stringify(members).slice(0, -1)},"choices":[`;
}

/** Chunks come in lengths that are multiples of this. */
const stepLength = 16;
const letters = 'aB3dE6gH9jK2mN5p';

function renderEvent(json: string, isPadded: boolean): Buffer {
  if (!isPadded) return Buffer.from(`data: ${json}\n\n`);
  const padding = letters.slice(0, stepLength - (json.length % stepLength));
  return Buffer.from(`data: ${json.slice(0, -1)},"obfuscation":"${padding}"}\n\n`);
}
