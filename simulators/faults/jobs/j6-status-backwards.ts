import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { pollByPoll } from './by-polls.ts';
import { jobRefusal } from './native.ts';

/** The reported status goes back once; in the end the job succeeds. */
export const statusBackwards: Fault = {
  id: 'J6',
  kind: 'job',
  plan: (context): JobFault => ofForm(context, plans),
};

const plans: Readonly<Record<string, JobFault>> = {
  'running-queued': { show: pollByPoll('running', 'queued', 'queued', 'running', 'success') },
  // A failed poll does not withdraw a state that was reported before.
  'failed-queued': {
    show: pollByPoll('running', 'queued', 'queued', 'queued', 'queued', 'success'),
    poll: (given, { nth }) => (nth === 2 ? jobRefusal(given.dialect, notNow) : given),
  },
  // Only a success without outputs can go back: one with outputs is final.
  'done-running': { show: pollByPoll('running', { stage: 'success', outputs: null }, 'running', 'success') },
};

const notNow = { status: 503, code: 'unavailable', message: 'The state of the job is not known just now.' };
