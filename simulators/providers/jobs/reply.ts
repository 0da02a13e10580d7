import type { JobStage, JobView, JobViewError } from '../../answers/job-view.ts';
import type { WholeAnswer } from '../../answers/whole-answer.ts';
import type { ScriptedJob } from '../../control/job-shapes.ts';
import { inForm } from '../../encoders/file-form.ts';
import { filmFile, type GeneratedFile } from '../../encoders/generated-file.ts';
import { seededHex } from '../../random.ts';
import type { Job } from '../../state/jobs/job.ts';
import type { JobRequest } from './request.ts';

/** The results of the job: videos of the scripted length, by default of the requested one. */
export function makeFilms(
  { model, content, seconds }: JobRequest,
  life: ScriptedJob,
  seed: number,
): GeneratedFile[] {
  const lasting = life.duration_s ?? seconds;
  return Array.from({ length: life.outputs ?? 1 }, (_, at) => {
    const title = `${model.name} ${seededHex(16, 'film', seed, model.name, content, at)}`;
    return inForm(filmFile(lasting, title), life.file_form);
  });
}

/** The answer to the submit: 201 for a new job, 200 for a known one. */
export function renderAccepted(job: Job, isNew: boolean): WholeAnswer {
  const { id, created_at_ms } = job.parts;
  const document = { id, status: 'queued', progress: 0, created_at: Math.floor(created_at_ms / 1000) };
  return json(isNew ? 201 : 200, document);
}

/** The answer to a poll. */
export function renderJob({ parts: { id, life } }: Job, view: JobView): WholeAnswer {
  const isOpen = view.stage !== 'success' && view.stage !== 'failed' && view.stage !== 'canceled';
  const output = view.outputs?.map(({ url, type, seconds }) => ({
    url,
    type,
    ...(seconds === null ? {} : { duration_seconds: seconds }),
  }));
  const document = {
    id,
    status: view.statusWord ?? words[view.stage],
    progress: view.progress,
    output: output ?? null,
    error: view.error === null ? null : errorOf(view.error),
  };
  const { retry_after_s } = life;
  const wait = isOpen && retry_after_s !== undefined ? { 'retry-after': String(retry_after_s) } : {};
  return json(200, document, wait);
}

/** The native status words. This dialect does not report partial results. */
const words: Readonly<Record<JobStage, string>> = {
  queued: 'queued',
  running: 'in_progress',
  text: 'in_progress',
  first: 'in_progress',
  success: 'completed',
  failed: 'failed',
  canceled: 'canceled',
};

/** Translates an error number of the callback-jobs dialect into a code word of this dialect. */
function errorOf({ code, message }: JobViewError): object {
  return { code: code === null ? null : (wordsOfNumbers[code] ?? code), message };
}

const wordsOfNumbers: Readonly<Record<string, string>> = {
  400: 'invalid_input',
  413: 'content_policy_violation',
  500: 'internal_error',
};

function json(status: number, document: object, headers: Readonly<Record<string, string>> = {}): WholeAnswer {
  const body = Buffer.from(JSON.stringify(document));
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}
