import type { Mutant } from '../../mutation/mutant.ts';
import { errAnswerMutants } from './mutants/answers.ts';
import { errHttpMutants } from './mutants/http.ts';
import { errMediaMutants } from './mutants/media.ts';
import { errUpstreamMutants } from './mutants/upstream.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const errMutants: readonly Mutant[] = [
  ...errAnswerMutants,
  ...errHttpMutants,
  ...errUpstreamMutants,
  ...errMediaMutants,
];
