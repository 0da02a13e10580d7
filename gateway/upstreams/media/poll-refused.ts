import type { UpstreamFailure } from '../outcome.ts';
import { isPolicyText } from './job-words.ts';
import type { PollOutcome } from './media-outcome.ts';

/**
 * The outcome of a poll that was refused. Some upstreams tell of a filter only here. A poll has no content of its own, so the
 * filter concerns the job, and polling again changes nothing.
 */
export function filteredOr(why: UpstreamFailure, text: unknown): PollOutcome {
  const isOfRequest = why.reason === 'bad_request' || why.reason === 'refused';
  const isFiltered = why.reason === 'policy' || (isOfRequest && isPolicyText(text));
  if (!isFiltered) return why;
  return { kind: 'state', state: { kind: 'failed', reason: 'policy' }, askAgainMs: null };
}
