import type { TextFrame } from '../../answers/native-answer.ts';
import type { Pace } from '../../latency/pace.ts';
import { logprobsOf } from './logprobs.ts';
import type { Choice, Completion } from './reply.ts';

/** The members of chunks besides their content. */
export interface ChunkForm {
  /** Whether usage has its own chunk, and is null in all others. */
  readonly hasUsage: boolean;
  /** Whether padding hides the length of a delta. The current version pads by default. */
  readonly isPadded: boolean;
}

/**
 * A completion as server-sent events, one frame each. The role is sent at once. Every content delta follows when it is due:
 * the text, then for each call its opening and its argument fragments. Finish, usage (on request) and [DONE] end the stream.
 */
export function streamFrames(
  completion: Completion,
  { hasUsage, isPadded }: ChunkForm,
  pace: Pace,
): TextFrame[] {
  const opening = openChunk(completion);
  const closing = hasUsage ? '],"usage":null' : ']';
  const event = (index: number, delta: string, finish = 'null', logprobs = 'null'): string =>
    renderEvent(
      `${opening}{"index":${index},"delta":${delta},"logprobs":${logprobs},"finish_reason":${finish}}${closing}`,
      isPadded,
    );
  const choices = [completion, ...completion.others];
  const inTurn = choices.map(contentDeltas);
  const longest = Math.max(...inTurn.map(({ length }) => length));
  const endMs = pace.dueMs(longest);
  const each = (write: (choice: Choice, index: number) => string): string => choices.map(write).join('');
  const frames = [
    {
      label: 'role',
      text: each((choice, index) => event(index, JSON.stringify(openingDelta(choice)))),
      dueMs: 0,
    },
    ...choices.flatMap(({ reasoning }, index) =>
      reasoning === null ? [] : thoughts(reasoning, (delta) => event(index, delta)),
    ),
  ];
  for (let k = 0; k < longest; k += 1) {
    // One write has the k-th delta of each choice.
    const text = each((_, index) => {
      const delta = inTurn[index]?.[k];
      return delta === undefined ? '' : event(index, delta.json, 'null', delta.logprobs);
    });
    frames.push({ label: deltaLabel(k), text, dueMs: pace.dueMs(k) });
  }
  const finish = each((choice, index) => event(index, '{}', JSON.stringify(choice.finish)));
  frames.push({ label: 'finish', text: finish, dueMs: endMs });
  if (hasUsage) {
    const text = renderEvent(`${opening}],"usage":${JSON.stringify(completion.usage)}`, isPadded);
    frames.push({ label: 'usage', text, dueMs: endMs });
  }
  frames.push({ label: 'done', text: 'data: [DONE]\n\n', dueMs: endMs });
  return frames;
}

/** Shown reasoning precedes the text, in two pieces. */
function thoughts(reasoning: string, event: (delta: string) => string): TextFrame[] {
  const half = Math.ceil(reasoning.length / 2);
  return [reasoning.slice(0, half), reasoning.slice(half)].map((reasoning_content, k) => ({
    label: `thought-${k}`,
    text: event(JSON.stringify({ reasoning_content })),
    dueMs: 0,
  }));
}

/** The most common delta labels. */
const deltaLabels = Array.from({ length: 64 }, (_, k) => `delta-${k}`);

function deltaLabel(k: number): string {
  return deltaLabels[k] ?? `delta-${k}`;
}

function openingDelta({ text, calls }: Choice): object {
  return { role: 'assistant', content: text === null && calls.length > 0 ? null : '', refusal: null };
}

/** A delta and its probabilities, as JSON. */
interface Delta {
  readonly json: string;
  readonly logprobs: string;
}

function contentDeltas({ textDeltas, calls, topLogprobs }: Choice): Delta[] {
  const spoken = textDeltas.map((content) => ({
    json: `{"content":${JSON.stringify(content)}}`,
    logprobs: topLogprobs === null ? 'null' : JSON.stringify(logprobsOf(content, topLogprobs)),
  }));
  const called = calls.flatMap(({ id, name, fragments }, index) => [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...fragments.map((fragment) => ({ tool_calls: [{ index, function: { arguments: fragment } }] })),
  ]);
  return [...spoken, ...called.map((delta) => ({ json: JSON.stringify(delta), logprobs: 'null' }))];
}

/** The first part of a chunk, up to its choices. It is the same in all chunks of an answer. */
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

/** The length of a padded chunk is a multiple of this. */
const stepLength = 16;
const letters = 'aB3dE6gH9jK2mN5p';
/** The padding for each length modulo `stepLength`. */
const paddings = Array.from({ length: stepLength }, (_, length) => letters.slice(0, stepLength - length));

/** @param open the JSON of a chunk without its last brace */
function renderEvent(open: string, isPadded: boolean): string {
  if (!isPadded) return `data: ${open}}\n\n`;
  return `data: ${open},"obfuscation":"${paddings[(open.length + 1) % stepLength]}"}\n\n`;
}
