import type { Check } from '../../engine/check.ts';
import { hintsOnToolsStay } from './hint-on-tools.ts';
import { hintsOnSystemStay, hintsStayOnTheirBlock } from './hint-place.ts';
import { withoutHintsNothingIsWritten } from './no-hints.ts';
import { otherModelsHaveTheirOwnRate } from './other-models.ts';
import { rateChecks } from './rates.ts';
import { readsAreVerbatim } from './reads-verbatim.ts';
import { repeatedPromptHits } from './repeated-prompt.ts';
import { readsAreNotMasked } from './reported-reads.ts';
import { hintsAreRetried, hintsStayBesideTheRest } from './rich-hints.ts';
import { slotsEndAfterTheirLife } from './slot-life.ts';
import { writesAreChargedOnce } from './write-once.ts';

/** The area CACHE: hints to the prompt cache of the upstream, what it says it read, and what both cost. */
export const cacheChecks: readonly Check[] = [
  repeatedPromptHits,
  withoutHintsNothingIsWritten,
  slotsEndAfterTheirLife,
  readsAreVerbatim,
  readsAreNotMasked,
  hintsStayOnTheirBlock,
  hintsOnSystemStay,
  hintsOnToolsStay,
  hintsStayBesideTheRest,
  hintsAreRetried,
  ...rateChecks,
  writesAreChargedOnce,
  otherModelsHaveTheirOwnRate,
];
