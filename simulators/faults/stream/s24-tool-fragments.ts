import type { Fault } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { chatCallDeltas } from '../native/chat-calls.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { cutInsideEscapes } from '../native/escapes.ts';
import { readPath, withMember } from '../native/json-path.ts';
import type { NativeEvent, OpenFrame } from '../native/open-answer.ts';

/**
 * Tool calls in odd fragments. Forms:
 * - `in-escape` splits the arguments inside their escapes;
 * - `late-name` sends the name after some arguments;
 * - `no-index` omits the index of the call;
 * - `same-index` gives two calls the same index;
 * - `empty-members` repeats an empty id and name in every fragment.
 *
 * A dialect with one block for each call has only the first form.
 */
export const toolFragments: Fault = editAnswer(
  'S24',
  (frames, { dialect, form }) =>
    dialect === 'chat-completions' ? chatCallDeltas(frames, form) : splitInputs(frames),
  { actsOn: actsOn.calls },
);

const inputPath = ['delta', 'partial_json'];

/** The messages stream with the arguments of its calls cut inside their escapes. */
function splitInputs(frames: readonly OpenFrame[]): OpenFrame[] {
  // Joins the arguments first: the original fragments may already be cut inside an escape.
  const whole = new Map<unknown, string>();
  for (const { data } of frames.flatMap(({ events }) => events)) {
    const piece = readPath(data, inputPath);
    const index = readPath(data, ['index']);
    if (typeof piece === 'string') whole.set(index, (whole.get(index) ?? '') + piece);
  }
  if (![...whole.values()].some((input) => cutInsideEscapes(input).length > 1)) return [...frames];
  return frames.map((frame) => ({
    ...frame,
    events: frame.events.flatMap((event) => refragment(event, whole)),
  }));
}

/** The first non-empty fragment is replaced by all fragments of its call; the other originals are dropped. */
function refragment(event: NativeEvent, whole: Map<unknown, string>): NativeEvent[] {
  const { data } = event;
  const piece = readPath(data, inputPath);
  if (typeof data === 'string' || typeof piece !== 'string' || piece === '') return [event];
  const index = readPath(data, ['index']);
  const input = whole.get(index);
  if (input === undefined) return [];
  whole.delete(index);
  return cutInsideEscapes(input).map((part) => ({ ...event, data: withMember(data, inputPath, part) }));
}
