import type { Mutant } from '../../edits/mutant.ts';

/** Gateways that lose, cut or rename long, odd or repeated parts when they translate. */

const requestsWritten: readonly Mutant[] = [];

const sizes: readonly Mutant[] = [];

const conversations: readonly Mutant[] = [];

export const nativeLossMutants: readonly Mutant[] = [...requestsWritten, ...sizes, ...conversations];
