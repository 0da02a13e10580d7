import type { Mutant } from '../../mutation/mutant.ts';
import { catMediaMutants } from './mutants/media.ts';
import { catModelMutants } from './mutants/models.ts';

export const catMutants: readonly Mutant[] = [...catModelMutants, ...catMediaMutants];
