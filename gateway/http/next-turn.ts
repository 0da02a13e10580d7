import { setTimeout as sleep } from 'node:timers/promises';

/** Work on bodies up to this size is too short to need a pause. */
export const smallBytes = 64 * 1024;
/** Work on bodies from this size on gets at most half of the event loop. */
export const largeBytes = 128 * 1024;

/** How other work gets the event loop between two pieces. Real time, because that is what other requests wait in. */
export interface TurnParts {
  now(): number;
  /** Resolves after everything that waits for the event loop has run once. */
  soon(): Promise<void>;
  sleep(ms: number): Promise<unknown>;
}

/** Rest time below the first value is not taken, and never more than the second, ms. */
const leastRestMs = 4;
const mostRestMs = 50;

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/**
 * Schedules pieces of work on bodies over all requests: one piece at a time, the smallest body first. Before a piece of a
 * large body, the event loop rests for as long as the last pieces took. So a request waits for at most one piece of a larger
 * body, and large bodies take at most half of the event loop.
 */
export function createTurns({ now, soon, sleep: rest }: TurnParts): (bytes?: number) => Promise<void> {
  const waiting: Waiting[] = [];
  let isServing = false;
  let onSmaller = (): void => {};
  let [debtMs, endedMs] = [0, 0];
  /** The rest time that is still owed, reduced by the idle time since the last piece. */
  const owedMs = (): number => Math.max(0, debtMs - (now() - endedMs));
  const restOrSmaller = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    onSmaller = resolve;
    await Promise.race([rest(owedMs()), promise]);
  };
  const serve = async (): Promise<void> => {
    isServing = true;
    await soon();
    for (let next = smallestOf(waiting); next !== undefined; next = smallestOf(waiting)) {
      if (next.bytes >= largeBytes && owedMs() >= leastRestMs) {
        await restOrSmaller();
        continue;
      }
      waiting.splice(waiting.indexOf(next), 1);
      const [before, beganMs] = [owedMs(), now()];
      next.go();
      await soon();
      endedMs = now();
      debtMs = Math.min(mostRestMs, before + endedMs - beganMs);
    }
    isServing = false;
  };
  return (bytes = largeBytes) =>
    new Promise((go) => {
      waiting.push({ bytes, go });
      if (bytes < largeBytes) onSmaller();
      if (!isServing) void serve();
    });
}

/** The longest-waiting entry among the smallest. */
function smallestOf(waiting: readonly Waiting[]): Waiting | undefined {
  let [smallest] = waiting;
  for (const one of waiting) if (smallest !== undefined && one.bytes < smallest.bytes) smallest = one;
  return smallest;
}

/** Waits until other work on the event loop and pieces of smaller bodies have run. */
export const nextTurn = createTurns({
  now: () => performance.now(),
  soon: () => new Promise((resolve) => setImmediate(resolve)),
  sleep,
});

/** Runs a generator with a pause after each piece. */
export async function inTurns<Result>(
  work: Generator<void, Result>,
  pause: () => Promise<void>,
): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await pause();
  }
}
