import { cutSteps } from '../../answers/wire-form.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { pausedBeforeEnd } from '../native/breaking-off.ts';
import { truncationPoint } from '../native/truncation.ts';

/** Some deltas, then RST. Forms: where it breaks off. */
export const resetMid: Fault = {
  id: 'S3',
  kind: 'wire',
  steps: (given, { form, after }) =>
    pausedBeforeEnd(cutSteps(given, truncationPoint(given, form, after), 'rst')),
};
