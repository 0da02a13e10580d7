import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer } from '../native/edit-answer.ts';
import type { OpenFrame } from '../native/open-answer.ts';
import { insertAt, placeAfter } from '../native/places.ts';

/** One chunk arrives twice; or (`restarted`) the whole stream begins again, as after an upstream reconnect. */
export const dupFrames: Fault = editAnswer('S25', (frames, { form, after }) => {
  const place = placeAfter(frames, after);
  const again = form === 'restarted' ? frames.slice(0, place) : frames.slice(Math.max(0, place - 1), place);
  const dueMs = frames[place]?.dueMs ?? 0;
  const repeated = again.map((frame): OpenFrame => ({ ...frame, label: `again-${frame.label}`, dueMs }));
  return insertAt(frames, place, ...repeated);
});
