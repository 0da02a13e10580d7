import { type ClientLeft, failure, type UpstreamFailure } from '../outcome.ts';
import type { JsonReply } from './ask-json.ts';
import type { StartOutcome } from './media-outcome.ts';

/** A start that came to nothing for certain: the upstream said so, or never heard of it. */
export function notStarted(why: UpstreamFailure): StartOutcome {
  return { ...why, isUnclear: false };
}

/** A start of which nobody can tell whether it is a job now. */
export function unclear(why: UpstreamFailure): StartOutcome {
  return { ...why, isUnclear: true };
}

/** What a start came to that was not answered: nothing for certain only when no byte of it went out. */
export function unanswered(why: UpstreamFailure | ClientLeft): StartOutcome {
  if (why.kind === 'client_left') return unclear(failure('connection', 'we left'));
  return why.isUnsent === true ? notStarted(why) : unclear(why);
}

/**
 * What a refused start came to. A refusal in the upstream's own words is believed; a page of a proxy, no words at all,
 * or a wait that was too long for somebody on the way are not.
 */
export function refused({ status, value, isPage }: JsonReply, why: UpstreamFailure): StartOutcome {
  const isSilent = isPage || value === undefined;
  return (status >= 500 && isSilent) || why.reason === 'timeout' ? unclear(why) : notStarted(why);
}

/** A proxy answers for an upstream that it got nothing from; anything else is classified by its dialect. */
export function pageFailure({ status, isPage }: JsonReply): UpstreamFailure | null {
  if (!isPage || status < 500) return null;
  return failure('server', `answered ${status} with a page`, { status });
}
