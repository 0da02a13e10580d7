import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { pollByPoll } from './by-polls.ts';

/** The job never leaves its stage. */
export const stuck: Fault = {
  id: 'J4',
  kind: 'job',
  plan: (context): JobFault => ofForm(context, plans),
};

const plans: Readonly<Record<string, JobFault>> = {
  queued: { life: { hold: 'queued' } },
  running: { life: { queued_ms: 0, hold: 'running' } },
  // The first outputs are ready, and the job never ends.
  'nearly-done': {
    life: { queued_ms: 0, hold: 'running' },
    show: pollByPoll('running', { stage: 'first', progress: 99 }),
  },
};
