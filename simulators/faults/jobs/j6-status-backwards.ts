import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { pollByPoll } from './by-polls.ts';

/** The job goes back once, and is done in the end. */
export const statusBackwards: Fault = {
  id: 'J6',
  kind: 'job',
  plan: (context): JobFault => ({ show: ofForm(context, shows) }),
};

const shows: Readonly<Record<string, NonNullable<JobFault['show']>>> = {
  'running-queued': pollByPoll('running', 'queued', 'queued', 'running', 'success'),
  // What has results is done: done without them is all that can be taken back.
  'done-running': pollByPoll('running', { stage: 'success', outputs: null }, 'running', 'success'),
};
