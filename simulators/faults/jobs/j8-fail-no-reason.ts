import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { pollByPoll } from './by-polls.ts';
import { editJob, without } from './native.ts';

/** The job fails without a reason. */
export const failNoReason: Fault = {
  id: 'J8',
  kind: 'job',
  plan: (context): JobFault => ofForm(context, plans),
};

const plans: Readonly<Record<string, JobFault>> = {
  null: { show: pollByPoll('running', { stage: 'failed', error: null }) },
  empty: { show: pollByPoll('running', { stage: 'failed', error: { code: '', message: '' } }) },
  absent: {
    show: pollByPoll('running', 'failed'),
    poll: (given) => editJob(given, (job) => without(job, 'error', 'errorCode', 'errorMessage')),
  },
};
