import { GatewayError } from '../errors/gateway-error.ts';
import type { LiveChannel } from './live-channel.ts';

/** Seconds that a caller is told to wait at an outage: at least and at most. */
const minS = 1;
const maxOutageS = 60;

/** In how many milliseconds some channel may take a call again; 0 when one does now, or when nobody knows. */
export function minWaitMs(channels: readonly LiveChannel[]): number {
  const waits = channels.flatMap((live) => {
    const condition = live.condition();
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
 * The refusal of a request that no channel of its model takes (B-105): an outage when every breaker is open or has its
 * one probe under way, otherwise a lack of room, that of channels that were asked to be left alone included. Drained
 * channels are out, nobody knows for how long: with nothing else there is no advice when to come back.
 */
export function noChannel(channels: readonly LiveChannel[]): GatewayError {
  const inUse = channels.filter((live) => !live.isDrained);
  if (inUse.length === 0) return new GatewayError('channel_outage');
  const isOutage = inUse.every((live) => live.condition().kind === 'open');
  const waitMs = minWaitMs(inUse);
  return isOutage
    ? new GatewayError('channel_outage', { retryAfterS: outageSeconds(waitMs) })
    : new GatewayError('channel_queue_full', { retryAfterS: wholeSeconds(waitMs) });
}

/** Whole seconds, rounded up, and at least one. */
export function wholeSeconds(waitMs: number): number {
  return Math.max(minS, Math.ceil(waitMs / 1000));
}

export function outageSeconds(waitMs: number): number {
  return Math.min(maxOutageS, wholeSeconds(waitMs));
}
