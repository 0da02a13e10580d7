import type { Mutant } from '../../edits/mutant.ts';
import { imageAnswerMutants } from './answers.ts';
import { imageRequestMutants } from './requests.ts';

export const imgMutants: readonly Mutant[] = [...imageAnswerMutants, ...imageRequestMutants];
