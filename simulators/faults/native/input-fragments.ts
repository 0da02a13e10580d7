import { cutInsideEscapes } from './escapes.ts';
import { readPath, withMember } from './json-path.ts';
import type { NativeEvent, OpenFrame } from './open-answer.ts';

const inputPath = ['delta', 'partial_json'];

/** The messages stream with the arguments of its calls cut inside their escapes. */
export function splitInputs(frames: readonly OpenFrame[]): OpenFrame[] {
  // Joins the arguments first: the original fragments may already be cut inside an escape.
  const whole = new Map<unknown, string>();
  for (const { data } of frames.flatMap(({ events }) => events)) {
    const piece = readPath(data, inputPath);
    const index = readPath(data, ['index']);
    if (typeof piece === 'string') whole.set(index, (whole.get(index) ?? '') + piece);
  }
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
