import { cutSteps, standardSteps } from '../../answers/wire-form.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { pausedBeforeEnd } from '../native/breaking-off.ts';
import { truncationPoint } from '../native/truncation.ts';

/** Some deltas, then RST. Forms: where it breaks off. */
export const resetMid: Fault = {
  id: 'S3',
  kind: 'wire',
  actsOn: actsOn.wideText,
  steps: (given, context) => {
    const point = truncationPoint(given, context.form, context.after);
    return point === null ? standardSteps(given) : pausedBeforeEnd(cutSteps(given, point, 'rst'), context);
  },
};
