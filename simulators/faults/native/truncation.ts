import type { CutPoint, NamedCutPoint } from '../../answers/cut-point.ts';
import type { NativeAnswer } from '../../answers/native-answer.ts';
import { isDelta, usualDeltas } from './places.ts';

/** Where an answer may break off before its ending: between two frames, before any content, or inside a delta. */
const insideDelta = ['inside-utf8', 'between-cr-lf', 'inside-json', 'before-blank-line'] as const;

/** The cut point that a form names: after `after` deltas, or in the next delta that has such a point. Null if none has it. */
export function truncationPoint(
  given: NativeAnswer,
  form: string | null,
  after: number | null,
): CutPoint | null {
  const delta = after ?? usualDeltas;
  if (form === 'before-content') return { after: 0 };
  const inside = insideDelta.find((point) => point === form);
  if (inside === undefined) return { after: delta };
  const deltas = given.frames.filter(isDelta);
  if (!deltas.some(({ bytes }) => hasPlace(bytes, inside))) return null;
  const found = deltas.findIndex(({ bytes }, k) => k >= delta && hasPlace(bytes, inside));
  // If no later delta has such a point, the answer breaks off at its first one.
  return found === -1 ? { after: inside } : { after: inside, delta: found };
}

function hasPlace(bytes: Buffer, point: NamedCutPoint): boolean {
  return point !== 'inside-utf8' || bytes.some((byte) => byte >= 0xc0);
}
