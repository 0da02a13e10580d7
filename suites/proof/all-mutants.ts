import type { Mutant } from './mutant.ts';
import { chatFieldMutants } from './mutants/chat-fields.ts';

/** Every mutant there is. */
export const allMutants: readonly Mutant[] = [...chatFieldMutants];
