import type { Mutant } from '../../edits/mutant.ts';
import { authMoneyMutants } from './accounts.ts';
import { authCallerMutants } from './callers.ts';
import { authMediaMutants } from './media.ts';
import { authSourceMutants } from './source.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const authMutants: readonly Mutant[] = [
  ...authCallerMutants,
  ...authSourceMutants,
  ...authMoneyMutants,
  ...authMediaMutants,
];
