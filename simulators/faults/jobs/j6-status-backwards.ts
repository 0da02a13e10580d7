import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { pollByPoll } from './by-polls.ts';

/** The reported status goes back once; in the end the job succeeds. */
export const statusBackwards: Fault = {
  id: 'J6',
  kind: 'job',
  plan: (context): JobFault => ({ show: ofForm(context, shows) }),
};

const shows: Readonly<Record<string, NonNullable<JobFault['show']>>> = {
  'running-queued': pollByPoll('running', 'queued', 'queued', 'running', 'success'),
  // Only a success without outputs can go back: one with outputs is final.
  'done-running': pollByPoll('running', { stage: 'success', outputs: null }, 'running', 'success'),
};
