import { setTimeout as sleep } from 'node:timers/promises';

/** Work on bodies up to this size costs too little for a pause. */
export const smallBytes = 64 * 1024;
/** Work on bodies from this size on is done with half of the loop. */
export const largeBytes = 128 * 1024;

/** How others get the event loop between two pieces of work; real time, which is what they wait in. */
export interface TurnParts {
  now(): number;
  /** Resolves when everything that waits for the loop has had it once. */
  soon(): Promise<void>;
  sleep(ms: number): Promise<unknown>;
}

/** What pieces owe is given back once it comes to this, and never more than that, ms. */
const leastRestMs = 4;
const mostRestMs = 50;

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/**
 * Turns for pieces of work on bodies, over all requests: one piece at a time, those of the smallest body first, and before a
 * piece of a large one the loop belongs to others for as long as the last pieces had it. So a request waits for one piece of
 * a larger one, not for as many as there are, and large bodies never take more than half of the loop.
 */
export function createTurns({ now, soon, sleep: rest }: TurnParts): (bytes?: number) => Promise<void> {
  const waiting: Waiting[] = [];
  let isServing = false;
  let onSmaller = (): void => {};
  let [debtMs, endedMs] = [0, 0];
  /** What the loop is still owed: it has been free since the last piece. */
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

/** The one that has waited longest, among the smallest. */
function smallestOf(waiting: readonly Waiting[]): Waiting | undefined {
  let [smallest] = waiting;
  for (const one of waiting) if (smallest !== undefined && one.bytes < smallest.bytes) smallest = one;
  return smallest;
}

/** Lets everything else that waits for the event loop go first, and smaller bodies. */
export const nextTurn = createTurns({
  now: () => performance.now(),
  soon: () => new Promise((resolve) => setImmediate(resolve)),
  sleep,
});

/** Does work that yields between its pieces, with a pause after each of them. */
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
