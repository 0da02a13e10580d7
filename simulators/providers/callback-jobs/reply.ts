import type { JobOutput, JobStage, JobView } from '../../answers/job-view.ts';
import type { WholeAnswer } from '../../answers/whole-answer.ts';
import type { Job } from '../../state/jobs/job.ts';
import { renderAnswer } from './errors.ts';

/** The answer to the submit. */
export function renderAccepted(job: Job): WholeAnswer {
  return renderAnswer(200, 'success', { taskId: job.parts.id });
}

/** The answer to a poll. */
export function renderRecord({ parts: { id, reference, life } }: Job, view: JobView): WholeAnswer {
  const error = errorOf(view);
  const answer = renderAnswer(200, 'success', {
    taskId: id,
    reference,
    status: view.statusWord ?? wordOf(view.stage, error.code),
    results: resultsOf(view),
    errorCode: error.code,
    errorMessage: error.message,
  });
  const isOpen = view.stage !== 'success' && view.stage !== 'failed' && view.stage !== 'canceled';
  const { retry_after_s } = life;
  if (!isOpen || retry_after_s === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(retry_after_s) } };
}

/** A callback, which the upstream sends without a request. */
export interface Report {
  readonly code: number;
  readonly msg: string;
  readonly data: ReportData;
}

export interface ReportData {
  readonly callbackType: string;
  readonly taskId: string;
  readonly reference: string | null;
  readonly results: readonly object[] | null;
}

export function reportOf({ parts: { id, reference } }: Job, view: JobView): Report {
  const error = errorOf(view);
  const types: Readonly<Partial<Record<JobStage, string>>> = {
    text: 'text',
    running: 'text',
    first: 'first',
    success: 'complete',
  };
  const data = {
    callbackType: types[view.stage] ?? 'error',
    taskId: id,
    reference,
    results: resultsOf(view),
  };
  return { code: error.code ?? 200, msg: error.message ?? 'success', data };
}

/** The results so far: an empty list before there are any, null when a successful job has none. */
export function resultsOf({ stage, outputs }: Pick<JobView, 'stage' | 'outputs'>): object[] | null {
  if (outputs === null) return stage === 'success' ? null : [];
  return outputs.map(({ url, type, seconds }) => ({
    url,
    kind: kindOf(type),
    ...(seconds === null ? {} : { durationSec: seconds }),
  }));
}

function kindOf(type: JobOutput['type']): string {
  return type.split('/')[0] ?? 'file';
}

function wordOf(stage: JobStage, code: number | null): string {
  switch (stage) {
    case 'queued':
      return 'PENDING';
    case 'running':
    case 'text':
      return 'TEXT_SUCCESS';
    case 'first':
      return 'FIRST_SUCCESS';
    case 'success':
      return 'SUCCESS';
    case 'failed':
    case 'canceled':
      return failureOf(code);
  }
}

function failureOf(code: number | null): string {
  if (code === 413) return 'SENSITIVE_WORD_ERROR';
  return code === 400 || code === 404 ? 'CREATE_TASK_FAILED' : 'GENERATE_FAILED';
}

/** Translates a code word of the jobs dialect into a number of this dialect. */
function errorOf({ error }: JobView): { code: number | null; message: string | null } {
  if (error === null) return { code: null, message: null };
  const { code, message } = error;
  return {
    code: code === null ? null : (numbersOfWords[code] ?? (/^\d{1,3}$/.test(code) ? Number(code) : 531)),
    message,
  };
}

const numbersOfWords: Readonly<Record<string, number>> = {
  invalid_input: 400,
  content_policy_violation: 413,
  internal_error: 500,
};
