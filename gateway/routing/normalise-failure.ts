import { GatewayError } from '../errors/gateway-error.ts';
import { systemPrompt, type UpstreamFailure } from '../upstreams/outcome.ts';
import { outageSeconds, wholeSeconds } from './refusal.ts';

/** Wait to advise when none is known, and the maximum unless the upstream asked for more (B-110). */
const busyMs = 5_000;
const maxUnaskedMs = 10_000;

/** Where a failure happened, and when a channel may be free again. */
export interface FailureContext {
  readonly channelId: string | null;
  /** Milliseconds until a channel of the model may take a call again; 0 for now or unknown. */
  readonly waitMs: number;
}

/** How the caller wrote the request: the error for a failure depends on it. */
export interface AskedRequest {
  /** Top-level fields that the caller gave, under our names. */
  readonly given: ReadonlySet<string>;
  /** Our field to blame when the context is too long; the conversation by default. */
  readonly prompt?: string;
  /**
   * Translates our bracket path into the caller's own field names for a native request; null for any other
   * request.
   */
  readonly native: { placeOf(param: string): string } | null;
}

/** Turns an upstream failure into the caller's error (B-109): our code, our own message and the public channel id. */
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
    case 'refused':
    case 'garbled':
      return new GatewayError('upstream_error', at);
  }
}

/**
 * The error for a request that the upstream rejected. If the caller sent the rejected field, the caller must correct it. This
 * holds for every field of a native request, because it is forwarded unchanged.
 */
function refusedRequest(
  { param }: UpstreamFailure,
  at: { readonly channel: string | null; readonly cause: UpstreamFailure },
  asked: AskedRequest,
): GatewayError {
  // If the caller has no separate field for it, the system prompt is part of the conversation.
  const field = param === systemPrompt && !asked.given.has(param) ? 'messages' : param;
  if (field !== null && asked.given.has(field)) {
    const place = placeOf(asked, field);
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
