import type { CutPoint } from '../../answers/cut-point.ts';
import { cutSteps } from '../../answers/wire-form.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { usualDeltas } from '../native/places.ts';

/**
 * The frames stop, and the socket stays open. Forms: after some deltas; `before-content`; `before-finish` with the
 * whole text sent; `after-finish` with only the end mark missing.
 */
export const stallMid: Fault = {
  id: 'S4',
  kind: 'wire',
  steps: (given, { form, after }) => cutSteps(given, { after: stallPoint(form, after) }, 'silence'),
};

/** The point at which a stalling stream stops. */
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
