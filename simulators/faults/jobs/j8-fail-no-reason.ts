import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { inTurn } from './by-polls.ts';
import { editJob, without } from './native.ts';

/** The job fails, and nobody says why. */
export const failNoReason: Fault = {
  id: 'J8',
  kind: 'job',
  plan: (context): JobFault => ofForm(context, plans),
};

const plans: Readonly<Record<string, JobFault>> = {
  null: { show: inTurn('running', { stand: 'failed', error: null }) },
  empty: { show: inTurn('running', { stand: 'failed', error: { code: '', message: '' } }) },
  absent: {
    show: inTurn('running', 'failed'),
    poll: (given) => editJob(given, (job) => without(job, 'error', 'errorCode', 'errorMessage')),
  },
};
