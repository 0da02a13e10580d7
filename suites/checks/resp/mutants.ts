import type { Mutant } from '../../mutation/mutant.ts';
import { respAnswerMutants } from './mutants/answers.ts';
import { nativeCountMutants } from './mutants/native-counts.ts';
import { nativeEndingMutants } from './mutants/native-endings.ts';
import { nativeFormMutants } from './mutants/native-forms.ts';

/** The gateways, each with one defect, that the checks of this area have to find. */
export const respMutants: readonly Mutant[] = [
  ...respAnswerMutants,
  ...nativeCountMutants,
  ...nativeEndingMutants,
  ...nativeFormMutants,
];
