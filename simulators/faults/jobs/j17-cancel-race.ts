import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { pollByPoll } from './by-polls.ts';

/** The job ends twice, differently: polls report one end, then the other. */
export const cancelRace: Fault = {
  id: 'J17',
  kind: 'job',
  plan: (context): JobFault => ({ show: ofForm(context, shows) }),
};

const shows: Readonly<Record<string, NonNullable<JobFault['show']>>> = {
  'done-canceled': pollByPoll('running', 'success', 'canceled'),
  'canceled-done': pollByPoll('running', 'canceled', 'success'),
};
