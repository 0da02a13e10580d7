import type { TextFrame } from '../../answers/native-answer.ts';
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
export function streamFrames(
  completion: Completion,
  { hasUsage, isPadded }: ChunkForm,
  pace: Pace,
): TextFrame[] {
  const opening = openChunk(completion);
  const closing = hasUsage ? '],"usage":null' : ']';
  const event = (delta: string, finish = 'null'): string =>
    renderEvent(
      `${opening}{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}${closing}`,
      isPadded,
    );
  const deltas = contentDeltas(completion);
  const endMs = pace.dueMs(deltas.length);
  const frames = [{ label: 'role', text: event(JSON.stringify(openingDelta(completion))), dueMs: 0 }];
  for (let k = 0; k < deltas.length; k += 1)
    frames.push({ label: deltaLabel(k), text: event(deltas[k] ?? '{}'), dueMs: pace.dueMs(k) });
  frames.push({ label: 'finish', text: event('{}', JSON.stringify(completion.finish)), dueMs: endMs });
  if (hasUsage) {
    const text = renderEvent(`${opening}],"usage":${JSON.stringify(completion.usage)}`, isPadded);
    frames.push({ label: 'usage', text, dueMs: endMs });
  }
  frames.push({ label: 'done', text: 'data: [DONE]\n\n', dueMs: endMs });
  return frames;
}

/** The labels that most streams have. */
const deltaLabels = Array.from({ length: 64 }, (_, k) => `delta-${k}`);

function deltaLabel(k: number): string {
  return deltaLabels[k] ?? `delta-${k}`;
}

function openingDelta({ text, calls }: Completion): object {
  return { role: 'assistant', content: text === null && calls.length > 0 ? null : '', refusal: null };
}

/** As JSON. */
function contentDeltas({ textDeltas, calls }: Completion): string[] {
  const spoken = textDeltas.map((content) => `{"content":${JSON.stringify(content)}}`);
  const called = calls.flatMap(({ id, name, fragments }, index) => [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...fragments.map((fragment) => ({ tool_calls: [{ index, function: { arguments: fragment } }] })),
  ]);
  return called.length === 0 ? spoken : [...spoken, ...called.map((delta) => JSON.stringify(delta))];
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
/** What is missing at each length. */
const paddings = Array.from({ length: stepLength }, (_, length) => letters.slice(0, stepLength - length));

/** @param open the JSON of a chunk, but for its last brace */
function renderEvent(open: string, isPadded: boolean): string {
  if (!isPadded) return `data: ${open}}\n\n`;
  return `data: ${open},"obfuscation":"${paddings[(open.length + 1) % stepLength]}"}\n\n`;
}
