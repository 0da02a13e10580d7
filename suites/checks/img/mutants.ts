import type { Mutant } from '../../mutation/mutant.ts';
import { imageAnswerMutants } from './mutants/answers.ts';
import { imageRequestMutants } from './mutants/requests.ts';

export const imgMutants: readonly Mutant[] = [...imageAnswerMutants, ...imageRequestMutants];
