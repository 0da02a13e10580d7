import type { Mutant } from '../../mutation/mutant.ts';
import { msgHintMutants } from './mutants/cache-hints.ts';
import { contentBlockMutants } from './mutants/content-blocks.ts';
import { conversationMutants } from './mutants/conversations.ts';
import { messageMutants } from './mutants/forms.ts';
import { mediaMutants } from './mutants/media.ts';
import { msgNativeMutants } from './mutants/native.ts';

export const msgMutants: readonly Mutant[] = [
  ...messageMutants,
  ...contentBlockMutants,
  ...conversationMutants,
  ...mediaMutants,
  ...msgHintMutants,
  ...msgNativeMutants,
];
