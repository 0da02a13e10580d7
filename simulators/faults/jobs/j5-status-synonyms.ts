import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { pollByPoll } from './by-polls.ts';

/** A poll reports a status word that the dialect does not have. */
export const statusSynonyms: Fault = {
  id: 'J5',
  kind: 'job',
  plan: (context): JobFault => ({ show: ofForm(context, shows) }),
};

const shows: Readonly<Record<string, NonNullable<JobFault['show']>>> = {
  succeeded: doneBy('succeeded'),
  'success-upper': doneBy('SUCCESS'),
  'succeed-upper': doneBy('SUCCEED'),
  processing: runningBy('processing'),
  throttled: runningBy('THROTTLED'),
  unknown: runningBy('archiving'),
  // The British spelling of a word that one of the dialects has.
  cancelled: pollByPoll('running', { stage: 'canceled', statusWord: 'cancelled' }),
  'canceled-upper': pollByPoll('running', { stage: 'canceled', statusWord: 'CANCELED' }),
  'expired-upper': pollByPoll('running', { stage: 'failed', statusWord: 'EXPIRED' }),
};

function doneBy(statusWord: string): NonNullable<JobFault['show']> {
  return pollByPoll('running', { stage: 'success', statusWord });
}

function runningBy(statusWord: string): NonNullable<JobFault['show']> {
  return pollByPoll('running', { stage: 'running', statusWord }, { stage: 'running', statusWord }, 'success');
}
