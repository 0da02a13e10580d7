import { GatewayError } from '../errors/gateway-error.ts';
import type { FailureReason, UpstreamOutcome } from '../upstreams/outcome.ts';
import type { Channel } from './channels.ts';

/** What came of a request at the upstreams. */
export interface AttemptResult {
  readonly outcome: UpstreamOutcome;
  /** The channel of the last attempt. */
  readonly channel: Channel;
  readonly attempts: number;
}

/** One call and one retry (B-106). */
const MAX_ATTEMPTS = 2;

/** Where a second attempt may help. */
type Retry = 'anywhere' | 'elsewhere' | 'never';

/**
 * Calls the first channel and, when its failure may be another's success, a second time: on the next channel, or on
 * the same one when there is no other. Nothing has reached the caller before this returns.
 */
export async function attempt(
  channels: readonly Channel[],
  call: (channel: Channel) => Promise<UpstreamOutcome>,
): Promise<AttemptResult> {
  const [first] = channels;
  if (first === undefined) throw new GatewayError('channel_queue_full');
  let channel = first;
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await call(channel);
    if (outcome.kind !== 'failure' || attempts === MAX_ATTEMPTS) return { outcome, channel, attempts };
    const retry = retryAfter(outcome.reason);
    const other = channels[attempts];
    if (retry === 'never' || (retry === 'elsewhere' && other === undefined))
      return { outcome, channel, attempts };
    channel = other ?? channel;
  }
}

function retryAfter(reason: FailureReason): Retry {
  switch (reason) {
    case 'timeout':
    case 'connection':
    case 'server':
    case 'busy':
      return 'anywhere';
    case 'exhausted':
      return 'elsewhere';
    case 'credentials':
    case 'context':
    case 'policy':
    case 'bad_request':
    case 'unusable':
      return 'never';
  }
}
