import { flag } from '../../rules/violation.ts';
import type { ReceivedEvent } from '../../wire/received-event.ts';
import { type Span, secondsText } from './freshness.ts';

/** When attempts are made, as the deployment declares it (reading B-114). */
export interface DeliverySchedule {
  /** The delay before each attempt, from the previous one; for the first, from the end of the task. */
  readonly waitsMs: readonly number[];
  readonly jitterPercent: number;
}

/** The delay of an attempt after the previous one, counted from 1. Null after the end of the schedule. */
export function waitBefore({ waitsMs, jitterPercent }: DeliverySchedule, attempt: number): Span | null {
  const waitMs = waitsMs[attempt - 1];
  if (waitMs === undefined) return null;
  return [waitMs * (1 - jitterPercent / 100), waitMs * (1 + jitterPercent / 100)];
}

/** Judges the number of attempts until some time by the schedule. */
export function judgeAttempts(
  events: readonly ReceivedEvent[],
  wanted: number,
  when: string,
  last = false,
): void {
  const { length } = events;
  const rule =
    length < wanted ? (length <= 1 ? 'redelivered' : 'as-declared') : last ? 'stops' : 'as-declared';
  flag(length === wanted, {
    requirement: 'HOOK-004',
    aspect: rule,
    expected: `${wanted} deliveries of an event that was never accepted, ${when}`,
    actual: `${length}`,
    exchange: events.at(-1)?.exchange,
  });
}

/** Judges that a delivery has the scheduled delay after the previous one. */
export function judgeGap(earlier: ReceivedEvent, later: ReceivedEvent, [min, max]: Span): void {
  const gapMs = [
    later.receivedMs.min - earlier.receivedMs.max,
    later.receivedMs.max - earlier.receivedMs.min,
  ] as const;
  flag(gapMs[1] >= min && gapMs[0] <= max, {
    requirement: 'HOOK-004',
    aspect: 'as-declared',
    expected: `delivery ${later.n} ${spanText([min, max])} after the previous one`,
    actual: spanText(gapMs),
    exchange: later.exchange,
    twin: earlier.exchange,
  });
}

function spanText([min, max]: Span): string {
  return `${secondsText(min)} to ${secondsText(max)}`;
}
