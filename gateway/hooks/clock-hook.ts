import type { TestClock } from '../clock.ts';
import { invalidParam } from '../errors/gateway-error.ts';
import type { JsonObject } from '../http/parse-json.ts';

/** Answer of the clock hook: Unix milliseconds; `next_due_ms` is the next timer, null when none is set. */
export interface ClockView {
  readonly now_ms: number;
  readonly next_due_ms: number | null;
}

/** A hundred years: further jumps are mistakes. */
const maxAdvanceMs = 100 * 366 * 86_400_000;

/** Moves the test clock by `advance_ms`. */
export async function advanceClock(clock: TestClock, body: JsonObject): Promise<void> {
  const { advance_ms: advance } = body;
  if (typeof advance !== 'number' || !Number.isInteger(advance) || advance < 0 || advance > maxAdvanceMs) {
    throw invalidParam('advance_ms', 'advance_ms must be a whole number of milliseconds, zero or more.');
  }
  await clock.advance(advance);
}

export function readClock(clock: TestClock): ClockView {
  return { now_ms: clock.now(), next_due_ms: clock.nextDue() };
}
