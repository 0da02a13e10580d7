import type { JsonObject } from '../../http/parse-json.ts';
import { failureIn, outputsIn, stateOf } from '../media/job-words.ts';
import type { JobFailure, JobState } from '../media/media-outcome.ts';

/** Codes of failed jobs that say more than the failure itself. */
const codes: Readonly<Record<string, JobFailure>> = {
  400: 'bad_input',
  404: 'parent_gone',
  413: 'policy',
  content_policy_violation: 'policy',
  invalid_input: 'bad_input',
};

/** State names of this dialect alone. A job with partial outputs is still running (fault J14). */
const failed = ['CREATE_TASK_FAILED', 'GENERATE_FAILED', 'CALLBACK_EXCEPTION'];
const blocked = 'SENSITIVE_WORD_ERROR';

/** The state of a job from its record; null when it is not a record. */
export function readRecord(data: JsonObject): JobState | null {
  const { status } = data;
  if (typeof status !== 'string') return null;
  if (status === blocked) return { kind: 'failed', reason: 'policy' };
  const kind = failed.includes(status) ? 'failed' : stateOf(status);
  switch (kind) {
    case 'waiting':
    case 'running':
      return { kind };
    case 'done':
      return { kind, outputs: outputsIn(data, { place: 'results', length: 'durationSec' }) };
    case 'failed':
      return { kind, reason: failureIn(data, codes) };
  }
}
