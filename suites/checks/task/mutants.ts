import type { Mutant } from '../../mutation/mutant.ts';
import { recordMutants } from './mutants/records.ts';
import { submissionMutants } from './mutants/submissions.ts';

export const taskMutants: readonly Mutant[] = [...submissionMutants, ...recordMutants];
