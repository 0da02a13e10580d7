import { isObject } from '../../http/parse-json.ts';
import { type JobWords, showsState, stateIn } from '../media/job-words.ts';
import type { JobState } from '../media/media-outcome.ts';

const words: Omit<JobWords, 'baseUrl'> = {
  place: 'output',
  length: 'duration_seconds',
  codes: {
    content_policy_violation: 'policy',
    content_filter: 'policy',
    invalid_request_error: 'bad_input',
  },
};

/** The state of a job from its record, which may be wrapped as data; null when the body is not a record. */
export function readJob(body: unknown, baseUrl: string): JobState | null {
  if (!isObject(body)) return null;
  const record = isObject(body.data) && !showsState(body) && showsState(body.data) ? body.data : body;
  return stateIn(record, { ...words, baseUrl });
}
