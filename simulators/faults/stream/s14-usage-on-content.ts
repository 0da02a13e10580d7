import type { Fault } from '../../fault-contract/fault.ts';
import { mapFrame } from '../native/edit-answer.ts';
import { isDelta } from '../native/places.ts';
import { editUsage, usageMember, withoutUsage } from '../native/usage-places.ts';

/**
 * The counts are in a chunk with choices: the one that ends the answer, or (`on-last-delta`) the last text delta.
 */
export const usageOnContent: Fault = editUsage('S14', (frames, usage, { dialect, form }) => {
  const lastDelta = frames.findLast(isDelta)?.label ?? 'finish';
  const label = form === 'on-last-delta' ? lastDelta : 'finish';
  return mapFrame(withoutUsage(frames, dialect), label, (data) => ({
    ...data,
    [usageMember(dialect)]: usage,
  }));
});
