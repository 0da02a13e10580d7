import type { Mutant } from '../../mutation/mutant.ts';
import { chatAnswerMutants } from './mutants/answers.ts';
import { chatBehaviourMutants } from './mutants/behaviour.ts';
import { chatBodyMutants } from './mutants/bodies.ts';
import { lenientFieldMutants } from './mutants/fields-lenient.ts';
import { strictFieldMutants } from './mutants/fields-strict.ts';
import { chatForwardingMutants } from './mutants/forwarding.ts';
import { chatModelMutants } from './mutants/models.ts';
import { nativeLossMutants } from './mutants/native-losses.ts';
import { nativeRequestMutants } from './mutants/native-requests.ts';
import { sparseTurnMutants } from './mutants/sparse-turns.ts';
import { specialCaseMutants } from './mutants/special-cases.ts';
import { wholeRequestMutants } from './mutants/whole.ts';

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
