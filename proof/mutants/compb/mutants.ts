import type { Mutant } from '../../edits/mutant.ts';
import { compbAnswerMutants } from './answers.ts';
import { compbCallMutants } from './calls.ts';
import { compbKeyMutants } from './keys.ts';
import { compbLinkMutants } from './links.ts';
import { compbRefusalMutants } from './refusals.ts';
import { compbRequestMutants } from './requests.ts';
import { compbRichMutants } from './rich.ts';
import { compbTurnMutants } from './turns.ts';

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
