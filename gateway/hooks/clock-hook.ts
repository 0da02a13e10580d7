import type { TestClock } from '../clock.ts';
import { invalidParam } from '../errors/gateway-error.ts';
import type { JsonObject } from '../http/parse-json.ts';
import type { Tasks } from '../services/tasks/tasks.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { type Hook, hookBody } from './hook.ts';

/** The clock of a test gateway, and the work that must finish before the clock moves. */
export interface ClockHook {
  readonly clock: TestClock;
  readonly tasks: Pick<Tasks, 'idle'>;
  readonly webhooks: Pick<Webhooks, 'idle'>;
}

/** The answer of the clock hook, in Unix milliseconds. `next_due_ms` is the next timer, null if none is set. */
export interface ClockView {
  readonly now_ms: number;
  readonly next_due_ms: number | null;
}

/** How long the clock waits, in real time, for a step of a task, and for all event attempts together. */
const stepsWithinMs = 2_000;
const attemptsWithinMs = 4_000;

/**
 * GET /hooks/clock: reads the clock. It waits for steps of tasks and event attempts first, because they may set
 * the next timer.
 */
export function showClock(hook: ClockHook): Hook {
  return async () => {
    await idle(hook);
    return readClock(hook.clock);
  };
}

/** POST /hooks/clock: moves the clock. It waits for steps of tasks and event attempts before and after. */
export function moveClock(hook: ClockHook): Hook {
  return async (exchange) => {
    const body = await hookBody(exchange);
    await idle(hook);
    await advanceClock(hook.clock, body);
    await idle(hook);
    return readClock(hook.clock);
  };
}

async function idle({ tasks, webhooks }: ClockHook): Promise<void> {
  await tasks.idle(stepsWithinMs);
  await webhooks.idle(attemptsWithinMs);
}

/** A hundred years: a longer jump is a mistake. */
const maxAdvanceMs = 100 * 366 * 86_400_000;

/** Moves the test clock by `advance_ms`. */
async function advanceClock(clock: TestClock, body: JsonObject): Promise<void> {
  const { advance_ms: advance } = body;
  if (typeof advance !== 'number' || !Number.isInteger(advance) || advance < 0 || advance > maxAdvanceMs) {
    throw invalidParam('advance_ms', 'advance_ms must be a whole number of milliseconds, zero or more.');
  }
  await clock.advance(advance);
}

function readClock(clock: TestClock): ClockView {
  return { now_ms: clock.now(), next_due_ms: clock.nextDue() };
}
