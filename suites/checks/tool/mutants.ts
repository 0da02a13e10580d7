import type { Mutant } from '../../mutation/mutant.ts';
import { toolCallMutants } from './mutants/calls.ts';
import { toolDefinitionMutants } from './mutants/definitions.ts';
import { toolNativeMutants } from './mutants/native.ts';
import { nativeRoundMutants } from './mutants/rounds.ts';

export const toolMutants: readonly Mutant[] = [
  ...toolCallMutants,
  ...toolDefinitionMutants,
  ...nativeRoundMutants,
  ...toolNativeMutants,
];
