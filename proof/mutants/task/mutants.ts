import type { Mutant } from '../../edits/mutant.ts';
import { recordMutants } from './records.ts';
import { submissionMutants } from './submissions.ts';

export const taskMutants: readonly Mutant[] = [...submissionMutants, ...recordMutants];
