import type { JsonObject } from '../../http/parse-json.ts';
import { type JobWords, stateIn } from '../media/job-words.ts';
import type { JobState } from '../media/media-outcome.ts';

const words: Omit<JobWords, 'baseUrl'> = {
  place: 'results',
  length: 'durationSec',
  codes: {
    400: 'bad_input',
    404: 'parent_gone',
    413: 'policy',
    content_policy_violation: 'policy',
  },
};

/** The upstream could not deliver a callback. The job itself has ended well if it has results. */
const undelivered = 'CALLBACK_EXCEPTION';

/**
 * The state of a job from its record; null when it is not a record. A job with partial outputs is still running (fault J14).
 */
export function readRecord(data: JsonObject, baseUrl: string): JobState | null {
  const own = { ...words, baseUrl };
  if (data.status !== undelivered) return stateIn(data, own);
  const state = stateIn({ ...data, status: 'done' }, own);
  const isWhole = state?.kind === 'done' && state.outputs.length > 0;
  return isWhole ? state : stateIn({ ...data, status: 'failed' }, own);
}
