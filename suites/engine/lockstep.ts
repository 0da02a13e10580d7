import { AsyncLocalStorage } from 'node:async_hooks';

/** The timeline that the current asynchronous work belongs to; set only inside `inLockstep`. */
const running = new AsyncLocalStorage<Timeline>();

/** The timeline of `inLockstep` that the caller runs on; undefined outside `inLockstep`. */
export function currentTimeline(): Timeline | undefined {
  return running.getStore();
}

/** The time that timelines share, ms. */
export interface SharedClock {
  now(): number;
  /** Lets `ms` pass, or less when something is due earlier. It may pass up to `lateMs` more. */
  pass(ms: number, lateMs: number): Promise<void>;
}

/** The shared time as one timeline sees it. */
export interface LockstepTime {
  now(): number;
  /**
   * Resolves at this time. The clock does not move while any other timeline is still working.
   * @param lateMs how much later it may resolve; within this time it may wait until other timelines go on
   * @throws the reason of the signal, or the error of a clock that cannot be moved
   */
  until(ms: number, signal?: AbortSignal, lateMs?: number): Promise<void>;
}

/** A timeline that has joined the lockstep; `leave` removes it. */
export interface Timeline extends LockstepTime {
  /** How much real time it has waited, for others and for the clock, ms. */
  readonly waitedMs: number;
  leave(): void;
}

interface Parked {
  readonly dueMs: number;
  readonly latestMs: number;
  /** Ends the wait. */
  readonly go: (failure?: { readonly reason: unknown }) => void;
  /** Sets its timer by the current time of the clock. */
  readonly arm: () => void;
}

/** The longest delay of `setTimeout`, ms. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Runs timelines side by side over one clock. A timeline that waits for a time is parked. Once all are parked, the clock
 * moves to the earliest time at which one of them goes on. A clock that also runs by itself may get there first. A timeline
 * that tolerates lateness goes on together with the last timeline that is due within its tolerance. So many timelines work at
 * once instead of one after another.
 */
export class Lockstep {
  readonly #clock: SharedClock;
  readonly #parked = new Set<Parked>();
  /** Timelines that are due but tolerate lateness. They go on once fewer timelines work. */
  readonly #late = new Set<Parked>();
  #working = 0;
  #isMoving = false;
  /** Timelines that have not been admitted yet. */
  readonly #outside: (() => void)[] = [];
  readonly #mostWorking: () => number;

  /**
   * @param mostWorking the number of working timelines at which no new one begins, and none that tolerates lateness goes on
   */
  constructor(clock: SharedClock, mostWorking: () => number = () => Number.POSITIVE_INFINITY) {
    this.#clock = clock;
    this.#mostWorking = mostWorking;
  }

  /** A new timeline. It begins to work once the clock stands still. */
  async join(): Promise<Timeline> {
    if (this.#isMoving || this.#working >= this.#mostWorking())
      await new Promise<void>((enter) => this.#outside.push(enter));
    else this.#working += 1;
    let [waits, waitedMs, sinceMs, hasLeft] = [0, 0, 0, false];
    const begin = (): void => {
      waits += 1;
      if (waits > 1 || hasLeft) return;
      sinceMs = performance.now();
      this.#working -= 1;
    };
    const end = (): void => {
      waits -= 1;
      if (waits > 0 || hasLeft) return;
      waitedMs += performance.now() - sinceMs;
      this.#working += 1;
    };
    return {
      now: () => this.#clock.now(),
      until: async (dueMs, signal, lateMs = 0) => {
        signal?.throwIfAborted();
        if (this.#clock.now() >= dueMs) return;
        begin();
        const over = this.#park({ dueMs, latestMs: dueMs + lateMs }, signal, end);
        this.#moveSoon();
        await over;
      },
      get waitedMs() {
        return waits > 0 ? waitedMs + performance.now() - sinceMs : waitedMs;
      },
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
        if (waits === 0) this.#working -= 1;
        this.#moveSoon();
      },
    };
  }

  #park(
    { dueMs, latestMs }: Pick<Parked, 'dueMs' | 'latestMs'>,
    signal: AbortSignal | undefined,
    onEnd: () => void,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    const go: Parked['go'] = (failure) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#parked.delete(parked);
      this.#late.delete(parked);
      onEnd();
      if (failure === undefined) resolve();
      else reject(failure.reason);
    };
    const abort = (): void => go({ reason: signal?.reason });
    const waitsUntilMs = (): number => (this.#late.has(parked) ? latestMs : dueMs);
    const look = (): void => {
      if (this.#clock.now() < waitsUntilMs()) arm();
      else if (this.#late.has(parked)) go();
      else if (!this.#release(parked)) arm();
    };
    const arm = (): void => {
      clearTimeout(timer);
      // While the clock moves, its steps decide which timelines go on. Timers of the others are set again afterwards.
      if (this.#isMoving) return;
      const leftMs = waitsUntilMs() - this.#clock.now();
      timer = setTimeout(look, Math.min(Math.max(1, Math.ceil(leftMs)), longestTimerMs));
    };
    const parked = { dueMs, latestMs, go, arm };
    this.#parked.add(parked);
    signal?.addEventListener('abort', abort, { once: true });
    arm();
    return promise;
  }

  /** @returns whether it goes on now; otherwise it waits for capacity, at most until `latestMs` */
  #release(parked: Parked): boolean {
    const mayGo = !bearsLate(parked) || this.#working < this.#mostWorking();
    if (mayGo) parked.go();
    else {
      this.#parked.delete(parked);
      this.#late.add(parked);
    }
    return mayGo;
  }

  /** Moves the clock once all work has paused; work that begins at this moment goes first. */
  #moveSoon(): void {
    if (!this.#isMoving) this.#letIn();
    if (this.#mayMove()) setImmediate(() => void this.#move());
  }

  #mayMove(): boolean {
    return !this.#isMoving && this.#working === 0 && this.#parked.size > 0;
  }

  async #move(): Promise<void> {
    if (!this.#mayMove()) return;
    this.#isMoving = true;
    for (const one of this.#parked) one.arm();
    try {
      while (this.#working === 0 && this.#parked.size > 0) await this.#step();
    } catch (reason) {
      for (const one of [...this.#parked]) one.go({ reason });
    } finally {
      this.#isMoving = false;
      this.#letIn();
      // The jump brought due times closer, so timers from before the jump would fire too late.
      for (const one of [...this.#parked, ...this.#late]) one.arm();
    }
  }

  async #step(): Promise<void> {
    const parked = [...this.#parked];
    const goesOnMs = (one: Parked): number =>
      Math.max(...parked.map(({ dueMs }) => dueMs).filter((dueMs) => dueMs <= one.latestMs));
    const nextMs = Math.min(...parked.map(goesOnMs));
    const leftMs = nextMs - this.#clock.now();
    if (leftMs > 0)
      await this.#clock.pass(leftMs, Math.min(...parked.map(({ latestMs }) => latestMs)) - nextMs);
    const due = parked.filter((one) => this.#parked.has(one) && goesOnMs(one) <= this.#clock.now());
    // Timelines without tolerance go on in any case, so they take capacity first.
    for (const one of due.toSorted((a, b) => Number(bearsLate(a)) - Number(bearsLate(b)))) this.#release(one);
    this.#letIn();
  }

  #letIn(): void {
    while (this.#working < this.#mostWorking()) {
      const [late] = this.#late;
      const enter = late === undefined ? this.#outside.shift() : undefined;
      if (late !== undefined) late.go();
      else if (enter === undefined) return;
      else {
        this.#working += 1;
        enter();
      }
    }
  }
}

function bearsLate({ dueMs, latestMs }: Parked): boolean {
  return latestMs > dueMs;
}

/**
 * Runs several timelines of one check in lockstep.
 * @returns the results of the timelines, in their order.
 */
export async function inLockstep<T>(
  clock: { now(): number; elapse(ms: number, lateMs: number): Promise<void> },
  timelines: readonly ((time: LockstepTime) => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  const lockstep = new Lockstep({ now: () => clock.now(), pass: (ms, lateMs) => clock.elapse(ms, lateMs) });
  // All join before the first one may wait.
  const joined = await Promise.all(timelines.map(() => lockstep.join()));
  return Promise.allSettled(
    timelines.map(async (timeline, place) => {
      const time = joined[place] as Timeline;
      try {
        return await running.run(time, () => timeline(time));
      } finally {
        time.leave();
      }
    }),
  );
}
