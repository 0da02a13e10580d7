import type { Mutant } from '../../edits/mutant.ts';

/** Gateways that lose or change a part of a request when they translate it. */

const fields: readonly Mutant[] = [];
export const nativeRequestMutants: readonly Mutant[] = [...fields];
