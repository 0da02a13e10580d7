import { setTimeout as sleep } from 'node:timers/promises';

/** Work on bodies up to this size costs too little for a pause. */
export const smallBytes = 64 * 1024;

/** How others get the event loop between two pieces of work; real time, which is what they wait in. */
export interface TurnParts {
  now(): number;
  /** Resolves when everything that waits for the loop has had it once. */
  soon(): Promise<void>;
  sleep(ms: number): Promise<unknown>;
}

/** What pieces owe is given back once it comes to this, and at most so much at a time, ms. */
const leastRestMs = 4;
const mostRestMs = 50;

/**
 * Turns for pieces of work on large bodies, over all requests: one piece at a time, and after each the loop belongs to others
 * for as long as the piece had it. So work on large bodies never takes more than half of the loop, however much
 * of it there is, and a small request waits for one piece and not for as many as there are large bodies.
 */
export function createTurns({ now, soon, sleep: rest }: TurnParts): () => Promise<void> {
  let line: Promise<void> = Promise.resolve();
  let [owedMs, endedMs] = [0, 0];
  const take = async (): Promise<void> => {
    await soon();
    owedMs = Math.max(0, owedMs - (now() - endedMs));
    if (owedMs >= leastRestMs) {
      await rest(Math.min(owedMs, mostRestMs));
      owedMs = 0;
    }
    const beganMs = now();
    void soon().then(() => {
      endedMs = now();
      owedMs += endedMs - beganMs;
    });
  };
  return () => {
    line = line.then(take);
    return line;
  };
}

/** Lets everything else that waits for the event loop go first. */
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
