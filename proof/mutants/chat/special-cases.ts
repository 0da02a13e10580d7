import type { Mutant } from '../../edits/mutant.ts';

/** Gateways that treat streams, one model or one role differently. */

export const specialCaseMutants: readonly Mutant[] = [];
