import { isObject } from '../../http/parse-json.ts';
import { failureIn, outputsIn, stateOf } from '../media/job-words.ts';
import type { JobFailure, JobState } from '../media/media-outcome.ts';

/** Codes of failed jobs that say more than the failure itself. */
const codes: Readonly<Record<string, JobFailure>> = {
  content_policy_violation: 'policy',
  content_filter: 'policy',
  moderation_blocked: 'policy',
  invalid_input: 'bad_input',
  invalid_request_error: 'bad_input',
};

/** The state of a job from its record; null when the body is not a record. */
export function readJob(body: unknown): JobState | null {
  if (!isObject(body) || typeof body.status !== 'string') return null;
  const kind = stateOf(body.status);
  switch (kind) {
    case 'waiting':
    case 'running':
      return { kind };
    case 'done':
      return { kind, outputs: outputsIn(body, { place: 'output', length: 'duration_seconds' }) };
    case 'failed':
      return { kind, reason: failureIn(body, codes) };
  }
}
