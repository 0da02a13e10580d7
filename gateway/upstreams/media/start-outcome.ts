import { type ClientLeft, failure, type UpstreamFailure } from '../outcome.ts';
import type { JsonReply } from './ask-json.ts';
import type { StartOutcome } from './media-outcome.ts';

/** No job was started: the upstream said so, or never received the request. */
export function notStarted(why: UpstreamFailure): StartOutcome {
  return { ...why, isUnclear: false };
}

/** It is unknown whether the start made a job. */
export function unclear(why: UpstreamFailure): StartOutcome {
  return { ...why, isUnclear: true };
}

/** The outcome of an unanswered start: certainly no job only if no byte of the request was sent. */
export function unanswered(why: UpstreamFailure | ClientLeft): StartOutcome {
  if (why.kind === 'client_left') return unclear(failure('connection', 'we left'));
  return why.isUnsent === true ? notStarted(why) : unclear(why);
}

/**
 * The outcome of a rejected start. A rejection in the upstream's own format is believed. A proxy's page, an empty
 * answer or a timeout on the way is not.
 */
export function refused({ status, value, isPage }: JsonReply, why: UpstreamFailure): StartOutcome {
  const isSilent = isPage || value === undefined;
  return (status >= 500 && isSilent) || why.reason === 'timeout' ? unclear(why) : notStarted(why);
}

/**
 * The failure when a proxy answers because it got no answer from the upstream. The dialect classifies anything
 * else.
 */
export function pageFailure({ status, isPage }: JsonReply): UpstreamFailure | null {
  if (!isPage || status < 500) return null;
  return failure('server', `answered ${status} with a page`, { status });
}
