import type { Mutant } from '../../mutation/mutant.ts';
import { compbAnswerMutants } from './mutants/answers.ts';
import { compbCallMutants } from './mutants/calls.ts';
import { compbKeyMutants } from './mutants/keys.ts';
import { compbLinkMutants } from './mutants/links.ts';
import { compbRefusalMutants } from './mutants/refusals.ts';
import { compbRequestMutants } from './mutants/requests.ts';
import { compbRichMutants } from './mutants/rich.ts';
import { compbTurnMutants } from './mutants/turns.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const compbMutants: readonly Mutant[] = [
  ...compbAnswerMutants,
  ...compbCallMutants,
  ...compbKeyMutants,
  ...compbLinkMutants,
  ...compbRefusalMutants,
  ...compbRequestMutants,
  ...compbRichMutants,
  ...compbTurnMutants,
];
