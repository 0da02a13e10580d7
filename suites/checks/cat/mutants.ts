import type { Mutant } from '../../mutation/mutant.ts';
import { catMediaMutants } from './mutants/media.ts';
import { catModelMutants } from './mutants/models.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const catMutants: readonly Mutant[] = [...catModelMutants, ...catMediaMutants];
