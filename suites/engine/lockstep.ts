/** The clock as one of several timelines in lockstep sees it, ms since the epoch on the deployment's clock. */
export interface LockstepTime {
  now(): number;
  /** Resolves at this time. The clock does not move while any other timeline is still working. */
  until(ms: number): Promise<void>;
}

interface Parked {
  readonly dueMs: number;
  readonly wake: () => void;
}

/**
 * Runs several timelines side by side over one clock. A timeline that waits for a time is parked. Once all are
 * parked, the clock jumps to the earliest time that one of them waits for.
 * @returns the results of the timelines, in their order.
 */
export async function inLockstep<T>(
  clock: { now(): number; elapse(ms: number): Promise<void> },
  timelines: readonly ((time: LockstepTime) => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  const parked = new Set<Parked>();
  let running = timelines.length;
  let broken: unknown = null;
  const moveOn = async (): Promise<void> => {
    const dueMs = Math.min(...[...parked].map((one) => one.dueMs));
    try {
      const left = dueMs - clock.now();
      if (left > 0) await clock.elapse(left);
    } catch (error) {
      broken = error;
    }
    for (const one of [...parked]) {
      if (one.dueMs > Math.max(dueMs, clock.now()) && broken === null) continue;
      parked.delete(one);
      running += 1;
      one.wake();
    }
  };
  const idle = (): void => {
    running -= 1;
    if (running === 0 && parked.size > 0) void moveOn();
  };
  const time: LockstepTime = {
    now: () => clock.now(),
    until: async (dueMs) => {
      if (clock.now() >= dueMs) return;
      await new Promise<void>((wake) => {
        parked.add({ dueMs, wake });
        idle();
      });
      if (broken !== null) throw broken;
    },
  };
  return Promise.allSettled(
    timelines.map(async (timeline) => {
      try {
        return await timeline(time);
      } finally {
        idle();
      }
    }),
  );
}
