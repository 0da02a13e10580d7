import type { Fault } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { withoutUsage } from '../native/usage-places.ts';

/** No token counts anywhere. */
export const usageNever: Fault = editAnswer(
  'S16',
  (frames, { dialect, fitted }) =>
    // What was added for the fault must not be what it takes away.
    fitted === 'usage' ? frames : withoutUsage(frames, dialect),
  { actsOn: actsOn.usage },
);
