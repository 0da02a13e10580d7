import type { NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { htmlPage, ofForm, ofUpstream } from '../native/refusal.ts';
import { type JobRefusal, jobRefusal } from './native.ts';

const refusals: Readonly<Record<string, JobRefusal>> = {
  'rate-limit': {
    status: 429,
    code: 'rate_limit_exceeded',
    message: 'Too many jobs were submitted within the last minute. Submit fewer, or wait.',
  },
  overloaded: {
    status: 503,
    bodyCode: 455,
    code: 'overloaded',
    message: 'The service is under maintenance at the moment. Come back in a while.',
  },
  'server-error': {
    status: 500,
    code: 'server_error',
    message: 'The job could not be enqueued: a worker pool reported an internal failure.',
  },
};

/** The upstream rejects the submit and creates no job. */
export const submitRefused: Fault = {
  id: 'J1',
  kind: 'instead',
  answer: (context): NativeAnswer =>
    context.form === 'cdn-html' ? htmlPage(context.dialect, 502, 'Bad Gateway') : inWords(context),
};

function inWords(context: FaultContext): NativeAnswer {
  return ofUpstream(jobRefusal(context.dialect, ofForm(context, refusals)), context);
}
