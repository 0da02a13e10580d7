import type { Mutant } from '../../mutation/mutant.ts';
import { cacheHintMutants } from './mutants/hints.ts';
import { cacheMoneyMutants } from './mutants/money.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const cacheMutants: readonly Mutant[] = [...cacheHintMutants, ...cacheMoneyMutants];
