import type { DialectName } from '../../answers/native-answer.ts';
import { textOf, withText } from './content.ts';
import type { OpenFrame } from './open-answer.ts';
import { isDelta } from './places.ts';

/** The stream with one delta per character; `dueMs` gives the due time of the k-th delta. */
export function inCharacters(
  frames: readonly OpenFrame[],
  dialect: DialectName,
  dueMs: (k: number, original: OpenFrame) => number,
): OpenFrame[] {
  let deltas = 0;
  return frames.flatMap((frame) => {
    if (!isDelta(frame)) return [frame];
    return splitFrame(frame, dialect).map((part) => {
      const k = deltas;
      deltas += 1;
      return { ...part, label: `delta-${k}`, dueMs: dueMs(k, frame) };
    });
  });
}

function splitFrame(frame: OpenFrame, dialect: DialectName): OpenFrame[] {
  const [event, ...others] = frame.events;
  const text = event === undefined || others.length > 0 ? null : textOf(event, dialect);
  if (event === undefined || text === null) return [frame];
  return [...text].map((character) => ({ ...frame, events: [withText(event, dialect, character)] }));
}
