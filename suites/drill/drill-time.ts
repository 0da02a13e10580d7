import { setTimeout as wait } from 'node:timers/promises';
import type { StackClock } from '../engine/clock-control.ts';

/** The time of a drill, ms. */
export interface DrillTime {
  now(): number;
  /** Resolves at this time; rejects when the signal aborts. */
  until(ms: number, signal: AbortSignal): Promise<void>;
}

/** Real time. */
export const realTime: DrillTime = {
  now: () => performance.now(),
  until: async (ms, signal) => {
    const leftMs = ms - performance.now();
    if (leftMs > 0) await wait(leftMs, undefined, { signal });
    else signal.throwIfAborted();
  },
};

/** The maximum step of the clocks while calls are in flight, which bounds the measurement error, ms. */
const strideMs = 100;
const emptyStrideMs = 1_000;

/** The real time for answers in flight to arrive before the clocks move on, ms. */
const quietMs = 8;
const busyMs = 250;

/**
 * The same in multiples of the recent clock move times. Answers on a busy machine come late, which must not count as the
 * deployment's time.
 */
const quietMoves = 2;
const busyMoves = 40;
/** The weight of the last move in the average of move times. */
const weightOfLast = 0.3;

/** The calls that may be in flight while the clocks stand still. */
export interface Activity {
  /** The number of calls in flight. */
  inFlight(): number;
  /** When anything of them was last seen, real ms. */
  lastSeenMs(): number;
}

/** Time on a stack with movable clocks: real time plus moves in steps, at most `speed` times as fast. */
export class LedTime implements DrillTime {
  readonly #clock: Pick<StackClock, 'leap'>;
  readonly #activity: Activity;
  readonly #speed: number;
  readonly #beganMs = performance.now();
  #movedMs = 0;
  /** How long a move takes, and when the last one was over, real ms. */
  #moveMs = 0;
  #movedLastMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<StackClock, 'leap'>, activity: Activity, speed: number) {
    this.#clock = clock;
    this.#activity = activity;
    this.#speed = speed;
  }

  now(): number {
    return performance.now() + this.#movedMs;
  }

  async until(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.now() < ms) {
      await this.#settle(signal);
      await this.#keepPace(signal);
      const mostMs = this.#activity.inFlight() > 0 ? strideMs : emptyStrideMs;
      const leapMs = Math.floor(Math.min(mostMs, ms - this.now()));
      if (leapMs < 2) {
        await wait(Math.max(0, ms - this.now()), undefined, { signal });
        continue;
      }
      await this.#move(leapMs);
    }
  }

  async #move(leapMs: number): Promise<void> {
    const beganMs = performance.now();
    await this.#clock.leap(leapMs);
    this.#movedMs += leapMs;
    this.#movedLastMs = performance.now();
    this.#moveMs += weightOfLast * (this.#movedLastMs - beganMs - this.#moveMs);
  }

  /** Waits for activity that needs no clock, which takes longer on a busy machine. */
  async #settle(signal: AbortSignal): Promise<void> {
    const until = performance.now() + Math.max(busyMs, busyMoves * this.#moveMs);
    const stillMs = Math.max(quietMs, quietMoves * this.#moveMs);
    while (this.#activity.inFlight() > 0 && performance.now() < until) {
      const lastMs = Math.max(this.#activity.lastSeenMs(), this.#movedLastMs);
      const leftMs = lastMs + stillMs - performance.now();
      if (leftMs <= 0) return;
      await wait(leftMs, undefined, { signal });
    }
  }

  async #keepPace(signal: AbortSignal): Promise<void> {
    const realMs = performance.now() - this.#beganMs;
    const earlyMs = (this.#movedMs + realMs) / this.#speed - realMs;
    if (earlyMs > 1) await wait(earlyMs, undefined, { signal });
  }
}
