import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { withoutUsage } from '../native/usage-places.ts';

/** No token counts anywhere. */
export const usageNever: Fault = editAnswer('S16', (frames, { dialect }) => withoutUsage(frames, dialect));
