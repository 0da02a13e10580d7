import type { Mutant } from '../../mutation/mutant.ts';
import { respAnswerMutants } from './mutants/answers.ts';
import { nativeCountMutants } from './mutants/native-counts.ts';
import { nativeEndingMutants } from './mutants/native-endings.ts';
import { nativeFormMutants } from './mutants/native-forms.ts';

export const respMutants: readonly Mutant[] = [
  ...respAnswerMutants,
  ...nativeCountMutants,
  ...nativeEndingMutants,
  ...nativeFormMutants,
];
