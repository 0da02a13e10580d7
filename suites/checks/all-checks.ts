import type { Check } from '../engine/check.ts';
import { chatFieldChecks } from './chat/fields.ts';
import { capHoldsAndFrees } from './lim/cap.ts';
import { usageIsTheUpstreams } from './resp/usage-verbatim.ts';
import { streamIsUnbuffered } from './sse/unbuffered.ts';

/** Every check there is, in the order in which reports show them: by area, as the register has them. */
export const allChecks: readonly Check[] = [...chatFieldChecks, usageIsTheUpstreams, streamIsUnbuffered, capHoldsAndFrees];
