import type { Clock } from '../clock.ts';

/** Caches the last date, because many answers share it under load. */
let last = { second: Number.NaN, text: '' };

/** The `Date` header of an answer, from the gateway clock: clients see jumps of the test clock. */
export function dateOf(clock: Pick<Clock, 'now'>): string {
  const second = Math.floor(clock.now() / 1000);
  if (second !== last.second) last = { second, text: new Date(second * 1000).toUTCString() };
  return last.text;
}
