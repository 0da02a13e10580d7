import type { Mutant } from '../../edits/mutant.ts';
import { limContextMutants } from './context.ts';
import { limCountMutants } from './counts.ts';
import { limMediaMutants } from './media.ts';
import { limMoneyMutants } from './money.ts';
import { limRefusedMutants } from './refused.ts';
import { limSlotMutants } from './slots.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const limMutants: readonly Mutant[] = [
  ...limCountMutants,
  ...limContextMutants,
  ...limMoneyMutants,
  ...limRefusedMutants,
  ...limSlotMutants,
  ...limMediaMutants,
];
