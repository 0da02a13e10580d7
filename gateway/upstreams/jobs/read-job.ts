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

/** Members in which upstreams wrap the record of a job. */
const wrappers = ['data', 'output', 'result', 'task', 'response'];

/** The state of a job from its record, which may be wrapped; null when the body is not a record. */
export function readJob(body: unknown, baseUrl: string): JobState | null {
  if (!isObject(body)) return null;
  const inner = wrappers.map((name) => body[name]).filter(isObject);
  const record = showsState(body) ? body : (inner.find(showsState) ?? body);
  return stateIn(record, { ...words, baseUrl }, body);
}
