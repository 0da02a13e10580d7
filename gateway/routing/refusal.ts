import { GatewayError } from '../errors/gateway-error.ts';
import type { LiveChannel } from './live-channel.ts';

/** Bounds, in seconds, of the wait that an outage advises. */
const minS = 1;
const maxOutageS = 60;

/** Milliseconds until a channel may take a call of the user again; 0 when one does now or when that is unknown. */
export function minWaitMs(channels: readonly LiveChannel[], witness: string): number {
  const waits = channels.flatMap((live) => {
    const condition = live.condition(witness);
    switch (condition.kind) {
      case 'free':
        return [0];
      case 'drained':
        return [];
      default:
        return [condition.waitMs];
    }
  });
  return waits.length === 0 ? 0 : Math.min(...waits);
}

/**
 * The error for a request that no channel of its model accepts (B-105). It is an outage when every breaker is open or has its
 * one probe in flight. Otherwise it is a lack of capacity, which includes channels cooling down at their upstream's request.
 * Drained channels do not count, as the end of draining is unknown. With only drained channels, no retry time is advised.
 */
export function noChannel(channels: readonly LiveChannel[], witness: string): GatewayError {
  const inUse = channels.filter((live) => !live.isDrained);
  if (inUse.length === 0) return new GatewayError('channel_outage');
  const isOutage = inUse.every((live) => live.condition(witness).kind === 'open');
  const waitMs = minWaitMs(inUse, witness);
  return isOutage
    ? new GatewayError('channel_outage', { retryAfterS: outageSeconds(waitMs) })
    : new GatewayError('channel_queue_full', { retryAfterS: wholeSeconds(waitMs) });
}

/** Whole seconds, rounded up, at least one. */
export function wholeSeconds(waitMs: number): number {
  return Math.max(minS, Math.ceil(waitMs / 1000));
}

export function outageSeconds(waitMs: number): number {
  return Math.min(maxOutageS, wholeSeconds(waitMs));
}
