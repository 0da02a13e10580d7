import type { Mutant } from '../../mutation/mutant.ts';
import { cacheHintMutants } from './mutants/hints.ts';
import { cacheMoneyMutants } from './mutants/money.ts';
import { cacheToolMutants } from './mutants/tools.ts';

export const cacheMutants: readonly Mutant[] = [
  ...cacheHintMutants,
  ...cacheMoneyMutants,
  ...cacheToolMutants,
];
