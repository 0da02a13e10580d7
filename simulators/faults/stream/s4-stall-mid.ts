import type { CutPoint } from '../../answers/cut-point.ts';
import { cutSteps } from '../../answers/wire-form.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { usualDeltas } from '../native/places.ts';

/**
 * The frames stop, and the socket stays open. Forms: after some deltas, `before-content`, `before-finish` with the whole
 * text sent, `after-finish` with the mark of the end still to come.
 */
export const stallMid: Fault = {
  id: 'S4',
  kind: 'wire',
  steps: (given, { form, after }) => cutSteps(given, { after: stallPoint(form, after) }, 'silence'),
};

/** Where a stream stops that then says no more. */
export function stallPoint(form: string | null, after: number | null): CutPoint['after'] {
  switch (form) {
    case 'before-content':
      return 0;
    case 'before-finish':
      return Number.MAX_SAFE_INTEGER;
    case 'after-finish':
      return 'finish';
    default:
      return after ?? usualDeltas;
  }
}
