import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { inTurn, viewOf } from './by-polls.ts';

/** A part is there before the rest, or in its place. */
export const partial: Fault = {
  id: 'J14',
  kind: 'job',
  plan: (context): JobFault => ({ show: ofForm(context, shows) }),
};

const shows: Readonly<Record<string, NonNullable<JobFault['show']>>> = {
  first: inTurn('text', 'first', 'first', 'success'),
  'never-whole': (_view, look) =>
    look.nth === 1
      ? viewOf({ stand: 'first' }, look)
      : viewOf({ stand: 'success', outputs: look.made.slice(0, -1) }, look),
};
