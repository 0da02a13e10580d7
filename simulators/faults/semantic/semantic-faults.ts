import type { Fault } from '../../fault-contract/fault.ts';
import { filterPrompt } from './m1-filter-prompt.ts';
import { filterOutput } from './m2-filter-output.ts';
import { emptyMaxTokens } from './m3-gemini-empty-maxtokens.ts';
import { malformedCall } from './m4-malformed-call.ts';
import { cacheAdditive } from './m5-cache-additive.ts';
import { cacheSplit } from './m6-cache-1h-split.ts';
import { cacheStreamPlace } from './m7-cache-stream-place.ts';
import { cacheSubset } from './m8-cache-subset.ts';
import { reasoningTokens } from './m9-reasoning-tokens.ts';
import { totalsDisagree } from './m10-totals-disagree.ts';
import { modelDrift } from './m11-model-drift.ts';
import { nShort } from './m12-n-short.ts';
import { badImage } from './m13-bad-image.ts';
import { toolJsonBad } from './m14-tool-json-bad.ts';

/** The faults of this group, in the order of the catalogue. */
export const semanticFaults: readonly Fault[] = [
  filterPrompt,
  filterOutput,
  emptyMaxTokens,
  malformedCall,
  cacheAdditive,
  cacheSplit,
  cacheStreamPlace,
  cacheSubset,
  reasoningTokens,
  totalsDisagree,
  modelDrift,
  nShort,
  badImage,
  toolJsonBad,
];
