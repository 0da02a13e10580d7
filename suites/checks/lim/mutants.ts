import type { Mutant } from '../../mutation/mutant.ts';
import { limContextMutants } from './mutants/context.ts';
import { limCountMutants } from './mutants/counts.ts';
import { limMediaMutants } from './mutants/media.ts';
import { limMoneyMutants } from './mutants/money.ts';
import { limRefusedMutants } from './mutants/refused.ts';
import { limSlotMutants } from './mutants/slots.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const limMutants: readonly Mutant[] = [
  ...limCountMutants,
  ...limContextMutants,
  ...limMoneyMutants,
  ...limRefusedMutants,
  ...limSlotMutants,
  ...limMediaMutants,
];
