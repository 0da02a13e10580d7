import { datedModelNames } from './dated-model-names.ts';
import type { Deviation } from './deviation.ts';
import { usageOnRequest } from './usage-on-request.ts';

/** All that a profile may declare. */
export const deviations: readonly Deviation[] = [datedModelNames, usageOnRequest];
