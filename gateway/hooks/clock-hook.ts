import type { TestClock } from '../clock.ts';
import { invalidParam } from '../errors/gateway-error.ts';
import type { JsonObject } from '../http/parse-json.ts';
import type { Endpoint, Route } from '../http/route.ts';
import type { Tasks } from '../services/tasks/tasks.ts';
import type { Siblings } from '../siblings.ts';
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

/** How long the hook waits, in real time, for running task steps, and for all event attempts together. */
const stepsWithinMs = 2_000;
const attemptsWithinMs = 4_000;

/**
 * GET and POST /hooks/clock: reads the clocks of all worker processes, and moves them. Each process waits for its task steps
 * and event attempts before it is read, because they may set the next timer. It also waits before and after it moves.
 */
export function clockEndpoints(
  hook: ClockHook,
  siblings: Siblings,
  open: (hook: Hook) => Endpoint,
): Route['endpoints'] {
  siblings.answer('clock.read', async () => {
    await idle(hook);
    return readClock(hook.clock);
  });
  siblings.answer('clock.advance', async (ms) => {
    await hook.clock.advance(Number(ms));
    return null;
  });
  const read = async (): Promise<ClockView> => together(await siblings.ask('clock.read', null));
  return {
    GET: open(read),
    POST: open(async (exchange) => {
      const ms = advanceIn(await hookBody(exchange));
      await read();
      await siblings.ask('clock.advance', ms);
      return read();
    }),
  };
}

/** Combines several clocks: the latest time and the earliest timer. */
function together(answers: readonly unknown[]): ClockView {
  const views = answers as readonly ClockView[];
  const due = views.map((view) => view.next_due_ms).filter((ms) => ms !== null);
  return {
    now_ms: Math.max(...views.map((view) => view.now_ms)),
    next_due_ms: due.length === 0 ? null : Math.min(...due),
  };
}

async function idle({ tasks, webhooks }: ClockHook): Promise<void> {
  await tasks.idle(stepsWithinMs);
  await webhooks.idle(attemptsWithinMs);
}

/** A hundred years: a longer jump is a mistake. */
const maxAdvanceMs = 100 * 366 * 86_400_000;

/** By how many milliseconds the body moves the clocks. */
function advanceIn({ advance_ms: advance }: JsonObject): number {
  if (typeof advance !== 'number' || !Number.isInteger(advance) || advance < 0 || advance > maxAdvanceMs) {
    throw invalidParam('advance_ms', 'advance_ms must be a whole number of milliseconds, zero or more.');
  }
  return advance;
}

function readClock(clock: TestClock): ClockView {
  return { now_ms: clock.now(), next_due_ms: clock.nextDue() };
}
