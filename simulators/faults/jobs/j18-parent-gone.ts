import type { NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext, JobFault } from '../../fault-contract/fault.ts';
import { ofUpstream } from '../native/refusal.ts';
import { pollByPoll } from './by-polls.ts';
import { jobRefusal } from './native.ts';

/** The parent of the job no longer exists. */
export const parentGone: Fault = {
  id: 'J18',
  kind: 'job',
  plan: (context): JobFault =>
    context.form === 'later' ? { show: failing(context) } : { instead: refusal(context) },
};

function refusal(context: FaultContext): NativeAnswer {
  const { dialect } = context;
  const message =
    dialect === 'callback-jobs' ? 'parent record not found' : 'The source of this job has been removed.';
  const error = { status: 400, bodyCode: 404, code: 'invalid_input', param: 'first_frame', message };
  return ofUpstream(jobRefusal(dialect, error), context);
}

function failing({ dialect }: FaultContext): NonNullable<JobFault['show']> {
  return dialect === 'callback-jobs'
    ? pollByPoll('running', {
        stage: 'failed',
        statusWord: 'CREATE_TASK_FAILED',
        error: { code: '404', message: 'parent record not found' },
      })
    : pollByPoll('running', {
        stage: 'failed',
        error: { code: 'invalid_input', message: 'The source of this job has been removed.' },
      });
}
