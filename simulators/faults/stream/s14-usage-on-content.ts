import type { Fault } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { editAnswer, mapFrame } from '../native/edit-answer.ts';
import { isDelta } from '../native/places.ts';
import { reportedUsage, usageMember, withoutUsage } from '../native/usage-places.ts';

/**
 * The counts are in a chunk with choices: the one that ends the answer, or (`on-last-delta`) the last text delta.
 */
export const usageOnContent: Fault = editAnswer(
  'S14',
  (frames, { dialect, form }) => {
    const lastDelta = frames.findLast(isDelta)?.label ?? 'finish';
    const label = form === 'on-last-delta' ? lastDelta : 'finish';
    const usage = reportedUsage(frames, dialect);
    if (usage === null) return frames;
    return mapFrame(withoutUsage(frames, dialect), label, (data) => ({
      ...data,
      [usageMember(dialect)]: usage,
    }));
  },
  { actsOn: actsOn.usage },
);
