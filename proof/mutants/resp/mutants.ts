import type { Mutant } from '../../edits/mutant.ts';
import { respAnswerMutants } from './answers.ts';
import { nativeCountMutants } from './native-counts.ts';
import { nativeEndingMutants } from './native-endings.ts';
import { nativeFormMutants } from './native-forms.ts';

export const respMutants: readonly Mutant[] = [
  ...respAnswerMutants,
  ...nativeCountMutants,
  ...nativeEndingMutants,
  ...nativeFormMutants,
];
