import type { Fault } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { withoutUsage } from '../native/usage-places.ts';

/** No token counts anywhere. */
export const usageNever: Fault = editAnswer(
  'S16',
  (frames, { dialect, fitted }) =>
    // Removing counts that were added only for this fault would change nothing.
    fitted === 'usage' ? frames : withoutUsage(frames, dialect),
  { actsOn: actsOn.usage },
);
