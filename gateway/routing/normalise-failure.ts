import { GatewayError } from '../errors/gateway-error.ts';
import { type ChatRequest, paramOf } from '../requests/chat-request.ts';
import type { UpstreamFailure } from '../upstreams/outcome.ts';
import { outageSeconds, wholeSeconds } from './refusal.ts';

/** Wait that is advised when nobody asked for one, and the most that is otherwise (B-110). */
const BUSY_MS = 5_000;
const MOST_UNASKED_MS = 10_000;

/** Where a failure happened, and how things stand there. */
export interface FailurePlace {
  readonly channelId: string | null;
  /** In how many milliseconds some channel of the model may take a call again; 0 for now or unknown. */
  readonly waitMs: number;
}

/**
 * The caller's view of an upstream failure (B-109): one of our codes, our own words and the public channel id.
 */
export function normaliseFailure(
  failure: UpstreamFailure,
  { channelId, waitMs }: FailurePlace,
  request: Pick<ChatRequest, 'given' | 'native'>,
): GatewayError {
  const at = { channel: channelId, cause: failure };
  switch (failure.reason) {
    case 'timeout':
      return new GatewayError('upstream_timeout', at);
    case 'busy': {
      const most = Math.max(MOST_UNASKED_MS, failure.retryAfterMs ?? 0);
      const retryAfterS = wholeSeconds(Math.min(waitMs === 0 ? BUSY_MS : waitMs, most));
      return new GatewayError('channel_queue_full', { ...at, retryAfterS });
    }
    case 'exhausted':
      return new GatewayError('channel_outage', { ...at, retryAfterS: outageSeconds(waitMs) });
    case 'context':
      return new GatewayError('context_too_long', { ...at, param: paramOf(request, 'messages') });
    case 'policy':
      return new GatewayError('content_filter', at);
    case 'bad_request':
      return refusedRequest(failure, at, request);
    case 'connection':
    case 'server':
    case 'credentials':
    case 'unusable':
      return new GatewayError('upstream_error', at);
  }
}

/**
 * A request that the upstream refused. A complaint about a field that the caller gave is the caller's to mend; so is any
 * about a native request, which is theirs word for word.
 */
function refusedRequest(
  { param }: UpstreamFailure,
  at: { readonly channel: string | null; readonly cause: UpstreamFailure },
  request: Pick<ChatRequest, 'given' | 'native'>,
): GatewayError {
  if (param !== null && request.given.has(param)) {
    const place = paramOf(request, param);
    return new GatewayError('invalid_param', {
      ...at,
      param: place,
      message: `The upstream refused ${place}.`,
    });
  }
  if (request.native === null) return new GatewayError('upstream_error', at);
  return new GatewayError('invalid_param', { ...at, message: 'The upstream refused the request.' });
}
