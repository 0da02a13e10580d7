import type { Mutant } from '../../edits/mutant.ts';

/** Gateways that let others call for pictures and tasks than they should. */
export const authMediaMutants: readonly Mutant[] = [];
