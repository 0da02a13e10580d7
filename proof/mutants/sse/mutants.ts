import type { Mutant } from '../../edits/mutant.ts';
import { streamModelMutants } from './models.ts';
import { sseNativeMutants } from './native.ts';
import { streamOptionsMutants } from './stream-options.ts';
import { sseStreamMutants } from './streams.ts';

export const sseMutants: readonly Mutant[] = [
  ...sseStreamMutants,
  ...streamModelMutants,
  ...sseNativeMutants,
  ...streamOptionsMutants,
];
