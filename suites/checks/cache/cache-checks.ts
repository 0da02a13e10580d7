import type { Check } from '../../engine/check.ts';
import { hintsOnSystemStay, hintsStayOnTheirBlock } from './hint-place.ts';
import { withoutHintsNothingIsWritten } from './no-hints.ts';
import { repeatedPromptHits } from './repeated-prompt.ts';
import { readsAreNotMasked } from './reported-reads.ts';
import { slotsEndAfterTheirLife } from './slot-life.ts';

/** The area CACHE: hints to the prompt cache of the upstream, and what it says it read. */
export const cacheChecks: readonly Check[] = [
  repeatedPromptHits,
  withoutHintsNothingIsWritten,
  slotsEndAfterTheirLife,
  readsAreNotMasked,
  hintsStayOnTheirBlock,
  hintsOnSystemStay,
];
