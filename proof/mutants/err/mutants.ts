import type { Mutant } from '../../edits/mutant.ts';
import { errAnswerMutants } from './answers.ts';
import { errHttpMutants } from './http.ts';
import { errMediaMutants } from './media.ts';
import { errUpstreamMutants } from './upstream.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const errMutants: readonly Mutant[] = [
  ...errAnswerMutants,
  ...errHttpMutants,
  ...errUpstreamMutants,
  ...errMediaMutants,
];
