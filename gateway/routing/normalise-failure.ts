import { GatewayError } from '../errors/gateway-error.ts';
import type { UpstreamFailure } from '../upstreams/outcome.ts';
import { outageSeconds, wholeSeconds } from './refusal.ts';

/** Wait that is advised when nobody asked for one, and the most that is otherwise (B-110). */
const busyMs = 5_000;
const maxUnaskedMs = 10_000;

/** Where a failure happened, and how things stand there. */
export interface FailureContext {
  readonly channelId: string | null;
  /** In how many milliseconds some channel of the model may take a call again; 0 for now or unknown. */
  readonly waitMs: number;
}

/** What a failure says about the request depends on: how its caller wrote it. */
export interface AskedRequest {
  /** Top-level fields that the caller gave, in our words. */
  readonly given: ReadonlySet<string>;
  /** Our field that is too long when the context is; the conversation, unless it says otherwise. */
  readonly prompt?: string;
  /** Their own words for a bracket path of ours, when they wrote a native request; null otherwise. */
  readonly native: { placeOf(param: string): string } | null;
}

/**
 * The caller's view of an upstream failure (B-109): one of our codes, our own words and the public channel id.
 */
export function normaliseFailure(
  failure: UpstreamFailure,
  { channelId, waitMs }: FailureContext,
  asked: AskedRequest,
): GatewayError {
  const at = { channel: channelId, cause: failure };
  switch (failure.reason) {
    case 'timeout':
      return new GatewayError('upstream_timeout', at);
    case 'busy': {
      const max = Math.max(maxUnaskedMs, failure.retryAfterMs ?? 0);
      const retryAfterS = wholeSeconds(Math.min(waitMs === 0 ? busyMs : waitMs, max));
      return new GatewayError('channel_queue_full', { ...at, retryAfterS });
    }
    case 'exhausted':
      return new GatewayError('channel_outage', { ...at, retryAfterS: outageSeconds(waitMs) });
    case 'context':
      return new GatewayError('context_too_long', {
        ...at,
        param: placeOf(asked, asked.prompt ?? 'messages'),
      });
    case 'policy':
      return new GatewayError('content_filter', at);
    case 'bad_request':
      return refusedRequest(failure, at, asked);
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
  asked: AskedRequest,
): GatewayError {
  if (param !== null && asked.given.has(param)) {
    const place = placeOf(asked, param);
    return new GatewayError('invalid_param', {
      ...at,
      param: place,
      message: `The upstream refused ${place}.`,
    });
  }
  if (asked.native === null) return new GatewayError('upstream_error', at);
  return new GatewayError('invalid_param', { ...at, message: 'The upstream refused the request.' });
}

function placeOf({ native }: AskedRequest, param: string): string {
  return native === null ? param : native.placeOf(param);
}
