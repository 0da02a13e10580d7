import type { Mutant } from '../../mutation/mutant.ts';
import { authMoneyMutants } from './mutants/accounts.ts';
import { authCallerMutants } from './mutants/callers.ts';
import { authMediaMutants } from './mutants/media.ts';
import { authSourceMutants } from './mutants/source.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const authMutants: readonly Mutant[] = [
  ...authCallerMutants,
  ...authSourceMutants,
  ...authMoneyMutants,
  ...authMediaMutants,
];
