import type { Check } from '../../engine/check.ts';
import { fieldChecks } from '../../steps/fields/field-check.ts';
import { directiveChecks } from './directives.ts';
import { imageTaskChecks } from './image-task.ts';
import { lengthsAreMade } from './lengths.ts';
import { videoValuesArrive } from './upstream-values.ts';

/** The area VID: the fields of each video model, and what it makes. */
export const vidChecks: readonly Check[] = [
  ...fieldChecks('vid', ({ medium }) => medium === 'video'),
  ...directiveChecks,
  ...imageTaskChecks,
  lengthsAreMade,
  videoValuesArrive,
];
