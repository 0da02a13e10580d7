import { must } from '../../rules/violation.ts';
import type { ReceivedEvent } from '../../wire/received-event.ts';
import type { Stamp } from './stamp.ts';

/** A stretch of time, ms. */
export type Span = readonly [least: number, most: number];

/** How far the time of an event may be from the one at which it came, ms: where both clocks are one, and where they are not. */
export const skewMs = { known: 10_000, unknown: 300_000 } as const;

/** When an event came, by the deployment's clock, with what two clocks may differ by. */
export function spanOf({ receivedMs }: Pick<ReceivedEvent, 'receivedMs'>, slackMs: number): Span {
  return [receivedMs.least - slackMs, receivedMs.most + slackMs];
}

/** An event carries the time at which it was sent, by the deployment's clock. */
export function judgeTimeOfSending(event: ReceivedEvent, stamp: Stamp, [least, most]: Span): void {
  must(stamp.toMs >= least && stamp.fromMs <= most, {
    requirement: 'HOOK-009',
    aspect: 'time-of-sending',
    expected: `the time of sending, ${timeText(least)} to ${timeText(most)}`,
    actual: `${timeText(stamp.fromMs)}, ${
      stamp.toMs < least
        ? `${secondsText(least - stamp.toMs)} too early`
        : `${secondsText(stamp.fromMs - most)} too late`
    }`,
    exchange: event.exchange,
  });
}

/** A delivery with the time that it says. */
export interface Stamped {
  readonly event: ReceivedEvent;
  readonly stamp: Stamp;
}

/** A delivery that is repeated says its own time: as long after that of the earlier one as it came after that. */
export function judgeRenewed(earlier: Stamped, later: Stamped, [least, most]: Span): void {
  const shortest = later.stamp.fromMs - earlier.stamp.toMs;
  const longest = later.stamp.toMs - earlier.stamp.fromMs;
  must(longest >= least && shortest <= most, {
    requirement: 'HOOK-009',
    aspect: 'renewed',
    expected: `a time ${secondsText(least)} to ${secondsText(most)} after that of delivery ${earlier.event.n}`,
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
