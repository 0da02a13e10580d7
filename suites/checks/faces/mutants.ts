import type { Mutant } from '../../mutation/mutant.ts';
import { facesAnswerMutants } from './mutants/answers.ts';
import { facesMediaMutants } from './mutants/media.ts';
import { facesPathMutants } from './mutants/paths.ts';
import { facesSourceMutants } from './mutants/source.ts';

/** The mutants of this area, each a gateway with one defect. */
export const facesMutants: readonly Mutant[] = [
  ...facesAnswerMutants,
  ...facesPathMutants,
  ...facesSourceMutants,
  ...facesMediaMutants,
];
