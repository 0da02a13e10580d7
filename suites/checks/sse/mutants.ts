import type { Mutant } from '../../mutation/mutant.ts';
import { streamModelMutants } from './mutants/models.ts';
import { sseNativeMutants } from './mutants/native.ts';
import { sseStreamMutants } from './mutants/streams.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const sseMutants: readonly Mutant[] = [
  ...sseStreamMutants,
  ...streamModelMutants,
  ...sseNativeMutants,
];
