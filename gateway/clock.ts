import type { Gone } from './gone.ts';

/** The only source of time in the process: everything that waits or reads the time gets a Clock. */
export interface Clock {
  /** Unix time in milliseconds, which may jump both ways. For times that people see, such as expiries of keys and months. */
  now(): number;
  /** Milliseconds since an arbitrary moment, unaffected by changes of the wall clock. For waits, leases, windows and bans. */
  monotonic(): number;
  /** Runs `fire` once, `delayMs` from now on this clock. */
  schedule(delayMs: number, fire: () => void): { cancel(): void };
  /** Resolves after `ms` on this clock. Rejects with the signal's reason if the signal aborts first. */
  sleep(ms: number, signal?: Gone): Promise<void>;
  /** Time of the next due timer in Unix milliseconds; null if there is none, or if the clock cannot jump. */
  nextDue(): number | null;
}

/** The longest delay that a Node timer accepts; longer waits are split. */
const maxTimerMs = 2 ** 31 - 1;

export class RealClock implements Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  schedule(delayMs: number, fire: () => void): { cancel(): void } {
    if (delayMs <= maxTimerMs) {
      const timer = setTimeout(fire, Math.max(0, delayMs));
      return { cancel: () => clearTimeout(timer) };
    }
    const due = performance.now() + delayMs;
    const piece = (leftMs: number): NodeJS.Timeout =>
      setTimeout(
        () => {
          const left = due - performance.now();
          if (leftMs > maxTimerMs && left > 0) timer = piece(left);
          else fire();
        },
        Math.min(Math.max(0, leftMs), maxTimerMs),
      );
    let timer = piece(delayMs);
    return { cancel: () => clearTimeout(timer) };
  }

  sleep(ms: number, signal?: Gone): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  nextDue(): number | null {
    return null;
  }
}

/** How fast a steady clock corrects towards the wall clock, as a share of real time. */
const followsBy = 1 / 20;

/**
 * A clock whose Unix time follows the given one slowly. If the wall clock jumps by an hour, this clock takes twenty hours to
 * correct it, so no deadline passes at once. Processes that share work agree on time as well as their wall clocks do.
 */
export function steadyClock(clock: Clock): Clock {
  let last = { monotonic: clock.monotonic(), now: clock.now() };
  const now = (): number => {
    const monotonic = clock.monotonic();
    const passed = monotonic - last.monotonic;
    const even = last.now + passed;
    const most = passed * followsBy;
    last = { monotonic, now: even + Math.min(most, Math.max(-most, clock.now() - even)) };
    return Math.floor(last.now);
  };
  return {
    now,
    monotonic: () => clock.monotonic(),
    schedule: (delayMs, fire) => clock.schedule(delayMs, fire),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    nextDue: () => clock.nextDue(),
  };
}

interface Timer {
  readonly due: number;
  readonly fire: () => void;
}

/**
 * Runs with real time and can be moved forward. A jump fires the timers that fall due on the way, in due order,
 * each at its own time.
 */
export class TestClock implements Clock {
  /** Unix time at the origin of the monotonic time, and all jumps. */
  #aheadMs: number;
  /** By how much only the wall clock was moved. */
  #wallMs = 0;
  /** Sorted by due time; equal times keep the order in which they were scheduled. */
  readonly #timers: Timer[] = [];
  readonly #real: () => number;
  #alarm: NodeJS.Timeout | null = null;
  #jumps: Promise<unknown> = Promise.resolve();

  /** @param real the running time in milliseconds; a constant makes a clock that moves only by jumps */
  constructor(real: () => number = () => performance.now()) {
    this.#real = real;
    this.#aheadMs = Date.now() - real();
  }

  now(): number {
    return this.monotonic() + this.#wallMs;
  }

  monotonic(): number {
    return Math.floor(this.#real() + this.#aheadMs);
  }

  /** Moves the wall clock forward or, below zero, back. Timers are not affected. */
  setWall(byMs: number): void {
    this.#wallMs += byMs;
  }

  schedule(delayMs: number, fire: () => void): { cancel(): void } {
    const timer: Timer = { due: this.monotonic() + Math.max(0, delayMs), fire };
    const after = this.#timers.findIndex((other) => other.due > timer.due);
    this.#timers.splice(after === -1 ? this.#timers.length : after, 0, timer);
    if (this.#timers[0] === timer) this.#setAlarm();
    return {
      cancel: () => {
        const at = this.#timers.indexOf(timer);
        if (at === -1) return;
        this.#timers.splice(at, 1);
        if (at === 0) this.#setAlarm();
      },
    };
  }

  sleep(ms: number, signal?: Gone): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  nextDue(): number | null {
    const first = this.#timers[0];
    return first === undefined ? null : Math.ceil(first.due + this.#wallMs);
  }

  /**
   * Moves the time forward by `ms`. Resolves when every due timer has fired. Concurrent jumps run one after the
   * other.
   */
  advance(ms: number): Promise<void> {
    const jump = this.#jumps.then(() => this.#jump(ms));
    this.#jumps = jump;
    return jump;
  }

  async #jump(ms: number): Promise<void> {
    const target = this.monotonic() + ms;
    for (let next = this.#timers[0]; next !== undefined && next.due <= target; next = this.#timers[0]) {
      this.#aheadMs += Math.max(0, next.due - this.monotonic());
      this.#fireFirst();
      // A timer that fired may have scheduled others that fall into the same jump.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#aheadMs += Math.max(0, target - this.monotonic());
    this.#setAlarm();
  }

  #fireFirst(): void {
    const timer = this.#timers.shift();
    this.#setAlarm();
    timer?.fire();
  }

  #setAlarm(): void {
    if (this.#alarm !== null) clearTimeout(this.#alarm);
    this.#alarm = null;
    const first = this.#timers[0];
    if (first === undefined) return;
    const delay = Math.min(Math.max(0, first.due - this.monotonic()), maxTimerMs);
    this.#alarm = setTimeout(() => this.#ring(), delay);
  }

  #ring(): void {
    this.#alarm = null;
    const first = this.#timers[0];
    if (first !== undefined && first.due <= this.monotonic()) this.#fireFirst();
    else this.#setAlarm();
  }
}

/** Sleeps by a timer of the clock. @throws the reason of the signal */
function sleepOn(clock: Pick<Clock, 'schedule'>, ms: number, signal?: Gone): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const leave = (): void => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.schedule(ms, () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    });
    signal?.addEventListener('abort', leave, { once: true });
  });
}
