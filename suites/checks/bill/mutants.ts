import type { Mutant } from '../../mutation/mutant.ts';
import { billChargeMutants } from './mutants/charges.ts';
import { mediaMoneyMutants } from './mutants/media.ts';
import { billSourceMutants } from './mutants/source.ts';
import { storyMutants } from './mutants/story.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const billMutants: readonly Mutant[] = [
  ...billChargeMutants,
  ...billSourceMutants,
  ...storyMutants,
  ...mediaMoneyMutants,
];
