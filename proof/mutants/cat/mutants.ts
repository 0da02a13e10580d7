import type { Mutant } from '../../edits/mutant.ts';
import { catMediaMutants } from './media.ts';
import { catModelMutants } from './models.ts';

export const catMutants: readonly Mutant[] = [...catModelMutants, ...catMediaMutants];
