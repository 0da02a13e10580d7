import type { Fault } from '../../fault-contract/fault.ts';
import { parseArguments } from '../../providers/composition/arguments.ts';
import { actsOn } from '../native/acts-on.ts';
import { chatCallDeltas } from '../native/chat-calls.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { cutInsideEscapes } from '../native/escapes.ts';
import { readPath, withMember } from '../native/json-path.ts';
import type { NativeEvent, OpenFrame } from '../native/open-answer.ts';
import { isDelta } from '../native/places.ts';

/**
 * Tool calls in odd fragments. Forms:
 * - `in-escape` splits the arguments inside their escapes;
 * - `late-name` sends the name after some arguments;
 * - `no-index` omits the index of the call;
 * - `same-index` gives two calls the same index;
 * - `next-index` starts a call under the index of the one before, and sends its arguments under its own;
 * - `empty-members` repeats an empty id and name in every fragment;
 * - `second-id` has another id in all fragments behind the first one;
 * - `null-id` has the text `null` in place of an id there, and an empty name;
 * - `late-id` sends the id after some arguments;
 * - `id-in-every` repeats the id in every fragment;
 * - `two-in-chunk` has the name and the first arguments of a call as two entries of one chunk;
 * - `gaps` numbers the calls 1, 3, 5;
 * - `in-turns` alternates between the fragments of all calls;
 * - `beside-text` has the last texts and the first fragments in the same events;
 * - `whole-input` has all arguments where a call starts, in a dialect with one block for each call.
 */
export const toolFragments: Fault = editAnswer(
  'S24',
  (frames, { dialect, form }) => {
    switch (dialect) {
      case 'chat-completions':
        return chatCallDeltas(frames, form);
      case 'generate-content':
        return besideText(frames);
      default:
        return form === 'whole-input' ? wholeInputs(frames) : splitInputs(frames);
    }
  },
  { actsOn: actsOn.calls },
);

const partsPath = ['candidates', 0, 'content', 'parts'];

/** The generate-content stream with its last text and its first call as two parts of one event. */
function besideText(frames: readonly OpenFrame[]): OpenFrame[] {
  const from = frames.findIndex((frame) =>
    partsIn(frame).some((part) => readPath(part, ['functionCall']) !== undefined),
  );
  const [text, call] = [frames[from - 1], frames[from]];
  if (text === undefined || call === undefined || !isDelta(text)) return [...frames];
  const events = call.events.map((event): NativeEvent => {
    const { data } = event;
    return typeof data === 'string'
      ? event
      : { ...event, data: withMember(data, partsPath, [...partsIn(text), ...partsIn(call)]) };
  });
  return [...frames.slice(0, from - 1), { ...call, label: text.label, events }, ...frames.slice(from + 1)];
}

function partsIn({ events }: OpenFrame): unknown[] {
  return events.flatMap(({ data }) => {
    const parts = readPath(data, partsPath);
    return Array.isArray(parts) ? parts : [];
  });
}

const inputPath = ['delta', 'partial_json'];

/** The messages stream with the arguments of each call at the start of its block. */
function wholeInputs(frames: readonly OpenFrame[]): OpenFrame[] {
  const whole = inputsOf(frames);
  return frames.map((frame) => ({
    ...frame,
    events: frame.events.flatMap((event): NativeEvent[] => {
      const { data } = event;
      if (typeof data === 'string') return [event];
      if (typeof readPath(data, inputPath) === 'string') return [];
      const input = whole.get(data.index);
      const isStart = data.type === 'content_block_start' && input !== undefined;
      return [
        isStart
          ? { ...event, data: withMember(data, ['content_block', 'input'], parseArguments(input)) }
          : event,
      ];
    }),
  }));
}

/** The arguments of each call, joined: fragments may already be cut inside an escape. */
function inputsOf(frames: readonly OpenFrame[]): Map<unknown, string> {
  const whole = new Map<unknown, string>();
  for (const { data } of frames.flatMap(({ events }) => events)) {
    const piece = readPath(data, inputPath);
    const index = readPath(data, ['index']);
    if (typeof piece === 'string') whole.set(index, (whole.get(index) ?? '') + piece);
  }
  return whole;
}

/** The messages stream with the arguments of its calls cut inside their escapes. */
function splitInputs(frames: readonly OpenFrame[]): OpenFrame[] {
  const whole = inputsOf(frames);
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
