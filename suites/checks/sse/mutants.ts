import type { Mutant } from '../../mutation/mutant.ts';
import { streamModelMutants } from './mutants/models.ts';
import { sseNativeMutants } from './mutants/native.ts';
import { streamOptionsMutants } from './mutants/stream-options.ts';
import { sseStreamMutants } from './mutants/streams.ts';

export const sseMutants: readonly Mutant[] = [
  ...sseStreamMutants,
  ...streamModelMutants,
  ...sseNativeMutants,
  ...streamOptionsMutants,
];
