/** A timer that can be cancelled. */
export interface Cancellable {
  cancel(): void;
}

/** The only source of time in the simulators. Times are milliseconds; `now` counts from the Unix epoch. */
export interface Clock {
  now(): number;
  /** Calls `fn` after `delayMs` on this clock. */
  schedule(delayMs: number, fn: () => void): Cancellable;
  /** Resolves after `ms`; rejects with the signal's reason when that aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** When the earliest scheduled call is due; null when there is none. */
  nextDue(): number | null;
}

/** A clock that runs with real time and can also jump forward. */
export interface TestClock extends Clock {
  /**
   * Moves the clock by `ms` and fires everything due, in due order.
   * Resolves once the effects have settled. `nextDue` then names the next effect.
   */
  advance(ms: number): Promise<void>;
}

export function createClock(): Clock {
  return new TimerClock();
}

export function createTestClock(): TestClock {
  return new TimerClock();
}

interface Timer {
  readonly dueMs: number;
  readonly fn: () => void;
}

/** setTimeout counts in a signed 32-bit number; longer waits are re-armed. */
const longestTimeoutMs = 2 ** 31 - 1;

/** Read once, because each access of `performance.timeOrigin` looks it up again. */
const originMs = performance.timeOrigin;

class TimerClock implements TestClock {
  #offsetMs = 0;
  /** Sorted by due time; equal times keep the order in which they were scheduled. */
  readonly #timers: Timer[] = [];
  #wakeUp: NodeJS.Timeout | null = null;

  now(): number {
    // Monotonic, in microseconds: a system clock that is set back must not reorder the journal.
    return Math.round((originMs + performance.now() + this.#offsetMs) * 1000) / 1000;
  }

  schedule(delayMs: number, fn: () => void): Cancellable {
    const timer: Timer = { dueMs: this.now() + Math.max(0, delayMs), fn };
    const after = this.#timers.findIndex((other) => other.dueMs > timer.dueMs);
    this.#timers.splice(after === -1 ? this.#timers.length : after, 0, timer);
    if (this.#timers[0] === timer) this.#arm();
    return { cancel: () => this.#remove(timer) };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (ms <= 0) return resolve();
      const onAbort = (): void => {
        timer.cancel();
        reject(signal?.reason);
      };
      const timer = this.schedule(ms, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  nextDue(): number | null {
    return this.#timers[0]?.dueMs ?? null;
  }

  async advance(ms: number): Promise<void> {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError('a clock can only be moved forward');
    this.#offsetMs += ms;
    do {
      this.#fireDue();
      // Two turns of the event loop let awakened sleepers write and sleep again.
      await eventLoopTurn();
      await eventLoopTurn();
    } while (this.#isDue());
    this.#arm();
  }

  #remove(timer: Timer): void {
    const index = this.#timers.indexOf(timer);
    if (index === -1) return;
    this.#timers.splice(index, 1);
    if (index === 0) this.#arm();
  }

  #arm(): void {
    if (this.#wakeUp !== null) clearTimeout(this.#wakeUp);
    this.#wakeUp = null;
    const dueMs = this.nextDue();
    if (dueMs === null) return;
    const delayMs = Math.min(Math.max(0, Math.ceil(dueMs - this.now())), longestTimeoutMs);
    this.#wakeUp = setTimeout(() => {
      this.#fireDue();
      this.#arm();
    }, delayMs);
  }

  #isDue(): boolean {
    const dueMs = this.nextDue();
    return dueMs !== null && dueMs <= this.now();
  }

  #fireDue(): void {
    while (this.#isDue()) this.#timers.shift()?.fn();
  }
}

function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
