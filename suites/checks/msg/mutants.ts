import type { Mutant } from '../../mutation/mutant.ts';
import { contentBlockMutants } from './mutants/content-blocks.ts';
import { conversationMutants } from './mutants/conversations.ts';
import { messageMutants } from './mutants/forms.ts';
import { mediaMutants } from './mutants/media.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const msgMutants: readonly Mutant[] = [
  ...messageMutants,
  ...contentBlockMutants,
  ...conversationMutants,
  ...mediaMutants,
];
