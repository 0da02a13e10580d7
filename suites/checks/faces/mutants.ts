import type { Mutant } from '../../mutation/mutant.ts';
import { facesAnswerMutants } from './mutants/answers.ts';
import { facesPathMutants } from './mutants/paths.ts';
import { facesSourceMutants } from './mutants/source.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const facesMutants: readonly Mutant[] = [
  ...facesAnswerMutants,
  ...facesPathMutants,
  ...facesSourceMutants,
];
