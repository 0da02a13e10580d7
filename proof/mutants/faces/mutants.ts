import type { Mutant } from '../../edits/mutant.ts';
import { facesAnswerMutants } from './answers.ts';
import { facesMediaMutants } from './media.ts';
import { facesPathMutants } from './paths.ts';
import { facesSourceMutants } from './source.ts';

/** The mutants of this area, each a gateway with one defect. */
export const facesMutants: readonly Mutant[] = [
  ...facesAnswerMutants,
  ...facesPathMutants,
  ...facesSourceMutants,
  ...facesMediaMutants,
];
