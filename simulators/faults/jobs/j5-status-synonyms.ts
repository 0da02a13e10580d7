import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { inTurn } from './by-polls.ts';

/** A state is told by a word that the dialect does not have. */
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
  'canceled-upper': inTurn('running', { stand: 'canceled', word: 'CANCELED' }),
  'expired-upper': inTurn('running', { stand: 'failed', word: 'EXPIRED' }),
};

function doneBy(word: string): NonNullable<JobFault['show']> {
  return inTurn('running', { stand: 'success', word });
}

function runningBy(word: string): NonNullable<JobFault['show']> {
  return inTurn('running', { stand: 'running', word }, { stand: 'running', word }, 'success');
}
