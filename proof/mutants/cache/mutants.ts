import type { Mutant } from '../../edits/mutant.ts';
import { cacheHintMutants } from './hints.ts';
import { cacheMoneyMutants } from './money.ts';
import { cacheToolMutants } from './tools.ts';

export const cacheMutants: readonly Mutant[] = [
  ...cacheHintMutants,
  ...cacheMoneyMutants,
  ...cacheToolMutants,
];
