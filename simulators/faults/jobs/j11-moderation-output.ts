import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { pollByPoll } from './by-polls.ts';

const message = 'The output may contain sensitive information. Request id: 02171b7f0c9e4d5f8a61e2d3c4b5a697';

/** The job is accepted, and moderation withholds its output. */
export const moderationOutput: Fault = {
  id: 'J11',
  kind: 'job',
  plan: (context): JobFault => ({ show: ofForm(context, shows) }),
};

const shows: Readonly<Record<string, NonNullable<JobFault['show']>>> = {
  code: pollByPoll('running', { stage: 'failed', error: { code: 'content_policy_violation', message } }),
  // Only the message states the reason.
  text: pollByPoll('running', { stage: 'failed', error: { code: 'internal_error', message } }),
};
