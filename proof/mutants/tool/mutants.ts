import type { Mutant } from '../../edits/mutant.ts';
import { toolCallMutants } from './calls.ts';
import { toolDefinitionMutants } from './definitions.ts';
import { toolNativeMutants } from './native.ts';
import { nativeRoundMutants } from './rounds.ts';

export const toolMutants: readonly Mutant[] = [
  ...toolCallMutants,
  ...toolDefinitionMutants,
  ...nativeRoundMutants,
  ...toolNativeMutants,
];
