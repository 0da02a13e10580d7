import { flag } from '../../rules/violation.ts';
import type { ReceivedEvent } from '../../wire/received-event.ts';
import type { Stamp } from './stamp.ts';

/** A range of time, ms. */
export type Span = readonly [min: number, max: number];

/** How far the time of an event may be from its arrival, ms: with one clock for both, and with two. */
export const skewMs = { known: 10_000, unknown: 300_000 } as const;

/** When an event arrived by the deployment's clock, with the tolerance for two clocks. */
export function spanOf({ receivedMs }: Pick<ReceivedEvent, 'receivedMs'>, slackMs: number): Span {
  return [receivedMs.min - slackMs, receivedMs.max + slackMs];
}

/** Judges that an event has the time at which it was sent, by the deployment's clock. */
export function judgeTimeOfSending(event: ReceivedEvent, stamp: Stamp, [min, max]: Span): void {
  flag(stamp.toMs >= min && stamp.fromMs <= max, {
    requirement: 'HOOK-009',
    aspect: 'time-of-sending',
    expected: `the time of sending, ${timeText(min)} to ${timeText(max)}`,
    actual: `${timeText(stamp.fromMs)}, ${
      stamp.toMs < min
        ? `${secondsText(min - stamp.toMs)} too early`
        : `${secondsText(stamp.fromMs - max)} too late`
    }`,
    exchange: event.exchange,
  });
}

/** A delivery with its sending time. */
export interface Stamped {
  readonly event: ReceivedEvent;
  readonly stamp: Stamp;
}

/** Judges that a repeated delivery has a new time: as much later than the earlier one as it arrived later. */
export function judgeRenewed(earlier: Stamped, later: Stamped, [min, max]: Span): void {
  const shortest = later.stamp.fromMs - earlier.stamp.toMs;
  const longest = later.stamp.toMs - earlier.stamp.fromMs;
  flag(longest >= min && shortest <= max, {
    requirement: 'HOOK-009',
    aspect: 'renewed',
    expected: `a time ${secondsText(min)} to ${secondsText(max)} after that of delivery ${earlier.event.n}`,
    actual: `one ${secondsText(later.stamp.fromMs - earlier.stamp.fromMs)} after it`,
    exchange: later.event.exchange,
    twin: earlier.event.exchange,
  });
}

export function secondsText(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
