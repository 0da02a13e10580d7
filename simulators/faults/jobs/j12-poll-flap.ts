import type { DialectName, NativeAnswer } from '../../answers/native-answer.ts';
import type { AlteredAnswer, Fault, JobFault, JobObservation } from '../../fault-contract/fault.ts';
import { htmlPage, ofForm } from '../native/refusal.ts';
import { pollByPoll } from './by-polls.ts';
import { jobRefusal, unknownJob } from './native.ts';

/** Polls fail between good ones, at most two in a row. */
export const pollFlap: Fault = {
  id: 'J12',
  kind: 'job',
  plan: (context): JobFault => {
    const { among, answer } = ofForm(context, flaps);
    return {
      show: pollByPoll('running', 'running', 'running', 'running', 'running', 'success'),
      poll: (given, observation) => (among.includes(observation.nth) ? answer(given, observation) : given),
    };
  },
};

interface Flap {
  /** Which polls fail. */
  readonly among: readonly number[];
  readonly answer: (given: NativeAnswer, observation: JobObservation) => AlteredAnswer;
}

const often = [2, 3, 5];
const once = [2];

const flaps: Readonly<Record<string, Flap>> = {
  'not-found': { among: often, answer: ({ dialect }) => unknownJob(dialect) },
  'server-error': { among: often, answer: ({ dialect }) => serverError(dialect) },
  'rate-limit': { among: once, answer: (_, observation) => rateLimit(observation) },
  reset: { among: often, answer: () => ({ steps: [{ do: 'end', by: 'rst' }] }) },
  garbage: { among: often, answer: ({ dialect }) => htmlPage(dialect, 200, 'Just a moment') },
  silence: { among: once, answer: () => ({ steps: [{ do: 'end', by: 'silence' }] }) },
};

function serverError(dialect: DialectName): NativeAnswer {
  const message = 'The state of the job could not be read from the replica set.';
  return jobRefusal(dialect, { status: 500, code: 'server_error', message });
}

/** Requests a longer pause than a gateway would choose by itself. */
function rateLimit({ dialect, waitMs }: JobObservation): NativeAnswer {
  const message = 'You ask too often after this job. Slow down for a while.';
  const headers = { 'retry-after': String(Math.ceil((waitMs ?? 20_000) / 1000)) };
  return jobRefusal(dialect, { status: 429, code: 'rate_limit_exceeded', message, headers });
}
