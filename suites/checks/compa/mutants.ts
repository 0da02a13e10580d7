import type { Mutant } from '../../mutation/mutant.ts';
import { compaAnswerMutants } from './mutants/answers.ts';
import { compaCallerMutants } from './mutants/callers.ts';
import { compaFailureMutants } from './mutants/failures.ts';
import { compaRefusalMutants } from './mutants/refusals.ts';
import { compaRequestMutants } from './mutants/requests.ts';
import { compaRichMutants } from './mutants/rich.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const compaMutants: readonly Mutant[] = [
  ...compaAnswerMutants,
  ...compaCallerMutants,
  ...compaFailureMutants,
  ...compaRefusalMutants,
  ...compaRequestMutants,
  ...compaRichMutants,
];
