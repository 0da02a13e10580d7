import type { Mutant } from '../../mutation/mutant.ts';
import { toolCallMutants } from './mutants/calls.ts';
import { toolDefinitionMutants } from './mutants/definitions.ts';
import { toolNativeMutants } from './mutants/native.ts';
import { nativeRoundMutants } from './mutants/rounds.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const toolMutants: readonly Mutant[] = [
  ...toolCallMutants,
  ...toolDefinitionMutants,
  ...nativeRoundMutants,
  ...toolNativeMutants,
];
