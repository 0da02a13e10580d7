import type { Check } from '../../engine/check.ts';
import { everyModelAnswers } from './answers.ts';
import { countIsHonoured } from './count.ts';
import { imageModelIdChecks } from './model-ids.ts';
import { anyFormIsAnswered } from './picture-forms.ts';
import { promptLimit } from './prompt-limit.ts';
import { referenceTypes } from './reference-type.ts';
import { formIsHonoured } from './response-format.ts';
import { severalAreDifferent } from './several.ts';
import { everyShapeIsWithinBounds } from './sizes.ts';
import { imageValuesArrive } from './upstream-values.ts';

export const imgChecks: readonly Check[] = [
  everyModelAnswers,
  anyFormIsAnswered,
  ...imageModelIdChecks,
  countIsHonoured,
  severalAreDifferent,
  formIsHonoured,
  everyShapeIsWithinBounds,
  referenceTypes,
  promptLimit,
  imageValuesArrive,
];
