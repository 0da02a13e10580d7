import type { Clock } from '../clock.ts';

/** The last date that was written: under load it serves many answers. */
let last = { second: Number.NaN, text: '' };

/** The `Date` of an answer, by the clock of the gateway: clients see when it was moved. */
export function dateOf(clock: Pick<Clock, 'now'>): string {
  const second = Math.floor(clock.now() / 1000);
  if (second !== last.second) last = { second, text: new Date(second * 1000).toUTCString() };
  return last.text;
}
