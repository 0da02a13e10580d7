import type { Mutant } from '../../mutation/mutant.ts';
import { videoFieldMutants } from './mutants/fields.ts';
import { mediaValueMutants } from './mutants/values.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const vidMutants: readonly Mutant[] = [...videoFieldMutants, ...mediaValueMutants];
