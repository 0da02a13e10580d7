import type { Mutant } from '../../edits/mutant.ts';
import { msgHintMutants } from './cache-hints.ts';
import { contentBlockMutants } from './content-blocks.ts';
import { conversationMutants } from './conversations.ts';
import { messageMutants } from './forms.ts';
import { mediaMutants } from './media.ts';
import { msgNativeMutants } from './native.ts';

export const msgMutants: readonly Mutant[] = [
  ...messageMutants,
  ...contentBlockMutants,
  ...conversationMutants,
  ...mediaMutants,
  ...msgHintMutants,
  ...msgNativeMutants,
];
