import type { Mutant } from '../../edits/mutant.ts';
import { compaAnswerMutants } from './answers.ts';
import { compaCallerMutants } from './callers.ts';
import { compaFailureMutants } from './failures.ts';
import { compaRefusalMutants } from './refusals.ts';
import { compaRequestMutants } from './requests.ts';
import { compaRichMutants } from './rich.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const compaMutants: readonly Mutant[] = [
  ...compaAnswerMutants,
  ...compaCallerMutants,
  ...compaFailureMutants,
  ...compaRefusalMutants,
  ...compaRequestMutants,
  ...compaRichMutants,
];
