import type { Mutant } from '../../edits/mutant.ts';
import { routeAnswerMutants } from './answers.ts';
import { routeAttemptMutants } from './attempts.ts';
import { routeBreakerMutants } from './breaker.ts';
import { routeChoiceMutants } from './choice.ts';
import { huntedRouteMutants } from './hunted.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const routeMutants: readonly Mutant[] = [
  ...routeAttemptMutants,
  ...routeAnswerMutants,
  ...routeBreakerMutants,
  ...routeChoiceMutants,
  ...huntedRouteMutants,
];
