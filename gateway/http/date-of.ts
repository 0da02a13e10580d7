import type { Clock } from '../clock.ts';

/** The `Date` of an answer, by the clock of the gateway: where that was moved, clients can tell. */
export function dateOf(clock: Pick<Clock, 'now'>): string {
  return new Date(clock.now()).toUTCString();
}
