import type { Fault } from '../../fault-contract/fault.ts';
import { textEvent } from '../native/content.ts';
import { editAnswer } from '../native/edit-answer.ts';
import type { OpenFrame } from '../native/open-answer.ts';
import { insertAt, placeOf } from '../native/places.ts';

/** The text that comes too late. */
export const lateText = ' …and one thing more that comes too late.';

/**
 * More text follows after the answer has ended: after the finish reason, or (`after-done`) after the end mark.
 * A dialect without an end mark has only the first form.
 */
export const lateFrames: Fault = editAnswer('S26', (frames, { dialect, form }) => {
  const mark = placeOf(frames, 'done');
  const place = (form === 'after-done' && mark !== -1 ? mark : placeOf(frames, 'finish')) + 1;
  const dueMs = frames[place - 1]?.dueMs ?? 0;
  const late: OpenFrame = { label: 'late-0', dueMs, events: [textEvent(frames, dialect, lateText)] };
  return insertAt(frames, place, late);
});
