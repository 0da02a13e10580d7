import type { Mutant } from '../../mutation/mutant.ts';
import { videoFieldMutants } from './mutants/fields.ts';
import { mediaValueMutants } from './mutants/values.ts';

export const vidMutants: readonly Mutant[] = [...videoFieldMutants, ...mediaValueMutants];
