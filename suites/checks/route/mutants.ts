import type { Mutant } from '../../mutation/mutant.ts';
import { routeAnswerMutants } from './mutants/answers.ts';
import { routeAttemptMutants } from './mutants/attempts.ts';
import { routeBreakerMutants } from './mutants/breaker.ts';
import { routeChoiceMutants } from './mutants/choice.ts';
import { huntedRouteMutants } from './mutants/hunted.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const routeMutants: readonly Mutant[] = [
  ...routeAttemptMutants,
  ...routeAnswerMutants,
  ...routeBreakerMutants,
  ...routeChoiceMutants,
  ...huntedRouteMutants,
];
