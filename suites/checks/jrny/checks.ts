import type { Check } from '../../engine/check.ts';
import { chainsHold } from './chain.ts';
import { deepSteps } from './deep-chain.ts';
import { everyKey } from './every-key.ts';
import { stepChecks } from './steps.ts';
import { upstreamChainChecks } from './upstream-chain.ts';
import { wholeGrids } from './whole-grid.ts';

/** The area JRNY: the steps of journey-v7, one after the other. */
export const jrnyChecks: readonly Check[] = [
  ...stepChecks,
  everyKey,
  chainsHold,
  deepSteps,
  wholeGrids,
  ...upstreamChainChecks,
];
