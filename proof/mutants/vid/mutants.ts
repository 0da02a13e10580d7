import type { Mutant } from '../../edits/mutant.ts';
import { videoFieldMutants } from './fields.ts';
import { mediaValueMutants } from './values.ts';

export const vidMutants: readonly Mutant[] = [...videoFieldMutants, ...mediaValueMutants];
