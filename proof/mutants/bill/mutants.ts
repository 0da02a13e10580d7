import type { Mutant } from '../../edits/mutant.ts';
import { billChargeMutants } from './charges.ts';
import { mediaMoneyMutants } from './media.ts';
import { billSourceMutants } from './source.ts';
import { storyMutants } from './story.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const billMutants: readonly Mutant[] = [
  ...billChargeMutants,
  ...billSourceMutants,
  ...storyMutants,
  ...mediaMoneyMutants,
];
