import type { Mutant } from '../../edits/mutant.ts';
import { chatAnswerMutants } from './answers.ts';
import { chatBehaviourMutants } from './behaviour.ts';
import { chatBodyMutants } from './bodies.ts';
import { lenientFieldMutants } from './fields-lenient.ts';
import { strictFieldMutants } from './fields-strict.ts';
import { chatForwardingMutants } from './forwarding.ts';
import { chatModelMutants } from './models.ts';
import { nativeLossMutants } from './native-losses.ts';
import { nativeRequestMutants } from './native-requests.ts';
import { sparseTurnMutants } from './sparse-turns.ts';
import { specialCaseMutants } from './special-cases.ts';
import { wholeRequestMutants } from './whole.ts';

export const chatMutants: readonly Mutant[] = [
  ...chatAnswerMutants,
  ...chatBehaviourMutants,
  ...chatBodyMutants,
  ...lenientFieldMutants,
  ...strictFieldMutants,
  ...chatForwardingMutants,
  ...chatModelMutants,
  ...nativeRequestMutants,
  ...nativeLossMutants,
  ...sparseTurnMutants,
  ...specialCaseMutants,
  ...wholeRequestMutants,
];
