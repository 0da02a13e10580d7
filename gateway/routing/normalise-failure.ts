import { GatewayError } from '../errors/gateway-error.ts';
import type { UpstreamFailure } from '../upstreams/outcome.ts';

/** Wait that is advised when the upstream does not ask for one itself (B-110). */
const BUSY_S = 5;
const OUTAGE_S = 30;

/**
 * The caller's view of an upstream failure (B-109): one of our codes, our own words and the public channel id.
 * `given` are the top-level fields of the request: a complaint about one of them is the caller's to mend.
 */
export function normaliseFailure(
  failure: UpstreamFailure,
  channelId: string,
  given: ReadonlySet<string>,
): GatewayError {
  const at = { channel: channelId, cause: failure };
  switch (failure.reason) {
    case 'timeout':
      return new GatewayError('upstream_timeout', at);
    case 'busy': {
      const asked = failure.retryAfterMs === null ? BUSY_S : Math.ceil(failure.retryAfterMs / 1000);
      return new GatewayError('channel_queue_full', { ...at, retryAfterS: Math.max(1, asked) });
    }
    case 'exhausted':
      return new GatewayError('channel_outage', { ...at, retryAfterS: OUTAGE_S });
    case 'context':
      return new GatewayError('context_too_long', { ...at, param: 'messages' });
    case 'policy':
      return new GatewayError('content_filter', at);
    case 'bad_request':
      return failure.param !== null && given.has(failure.param)
        ? new GatewayError('invalid_param', {
            ...at,
            param: failure.param,
            message: `The upstream refused ${failure.param}.`,
          })
        : new GatewayError('upstream_error', at);
    case 'connection':
    case 'server':
    case 'credentials':
    case 'unusable':
      return new GatewayError('upstream_error', at);
  }
}
