import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { pollByPoll, viewOf } from './by-polls.ts';

/** Some outputs are ready before the others, or the others never come. */
export const partial: Fault = {
  id: 'J14',
  kind: 'job',
  plan: (context): JobFault => ({ show: ofForm(context, shows) }),
};

const shows: Readonly<Record<string, NonNullable<JobFault['show']>>> = {
  first: pollByPoll('text', 'first', 'first', 'success'),
  'never-whole': (_view, observation) =>
    observation.nth === 1
      ? viewOf({ stage: 'first' }, observation)
      : viewOf({ stage: 'success', outputs: observation.made.slice(0, -1) }, observation),
};
