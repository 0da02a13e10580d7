/** How old an event may be, and how far ahead, seconds ("Limits", reading B-115). */
export const boundS = 300;

/** Texts that a lenient parser reads as a time. The last one parses to NaN, which is neither old nor new in a comparison. */
export const looseTimes: readonly ((seconds: number) => string)[] = [
  (seconds) => `${seconds}junk`,
  (seconds) => `${seconds}.9`,
  (seconds) => `+${seconds}`,
  (seconds) => `${seconds}0e-1`,
  (seconds) => `0x${seconds.toString(16)}`,
  (seconds) => `${seconds},${seconds}`,
  () => 'now',
];

/** A time in a header: this many seconds before the receiver's time, or one of {@link looseTimes} by index. */
export type EventClock = { readonly ageS: number } | { readonly loose: number };

/** The time that is signed, and the one in X-Service-Timestamp; null where that is the same. */
export interface EventClocks {
  readonly signed: EventClock;
  readonly shown: EventClock | null;
}

/**
 * What a receiver must do with an event; null where either is right. The aspect names the rule that the other choice
 * violates.
 */
export interface ClockVerdict {
  readonly isTaken: boolean;
  readonly aspect: string;
}

export function clockVerdict({ signed, shown }: EventClocks): ClockVerdict | null {
  if ('loose' in signed) return { isTaken: false, aspect: 'no-number-refused' };
  const { ageS } = signed;
  if (ageS > boundS)
    return { isTaken: false, aspect: isRecent(shown) ? 'unsigned-time-ignored' : 'stale-refused' };
  if (ageS < -boundS) return { isTaken: false, aspect: 'future-refused' };
  // The receiver decides whether a different second time makes a recent event bad, and about the last second ahead.
  return shown !== null || ageS === -boundS ? null : { isTaken: true, aspect: 'recent-accepted' };
}

function isRecent(clock: EventClock | null): boolean {
  return clock !== null && 'ageS' in clock && Math.abs(clock.ageS) <= boundS;
}

/** The header text of a clock, given the receiver's time in Unix seconds. */
export function clockText(clock: EventClock, nowS: number): string {
  if ('ageS' in clock) return String(nowS - clock.ageS);
  return looseTimes[clock.loose % looseTimes.length]?.(nowS) ?? 'now';
}
