import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Semaphore } from '../engine/semaphore.ts';

/** Above the first idle share of the processors there is room for more checks; below the second there are too many. */
const idleWithRoom = 0.15;
const idleWhenFull = 0.03;

/** How many checks each step adds or removes, and the interval of the steps, ms. */
const more = 2;
const less = 1;
export const lookEachMs = 500;

/**
 * Adapts the number of concurrent checks to the machine. When answers take time, many checks only wait, and more can run.
 * When the processors are busy, more checks would only delay each answer.
 */
export class IdleWidth {
  readonly #semaphore: Semaphore;
  readonly #least: number;
  readonly #most: number;
  readonly #idleShare: () => number;
  #isCrowded = false;

  /** @param idleShare the idle share of the processors since its last call */
  constructor(
    semaphore: Semaphore,
    bounds: { readonly least: number; readonly most: number },
    idleShare: () => number = idleSince(),
  ) {
    this.#semaphore = semaphore;
    this.#least = Math.min(bounds.least, bounds.most);
    this.#most = bounds.most;
    this.#idleShare = idleShare;
  }

  /** Whether the processors were busy at the last step. */
  get isCrowded(): boolean {
    return this.#isCrowded;
  }

  look(): void {
    const { width, isFull } = this.#semaphore;
    const idle = this.#idleShare();
    this.#isCrowded = idle < idleWhenFull;
    if (idle >= idleWithRoom && isFull) this.#semaphore.resize(Math.min(this.#most, width + more));
    else if (this.#isCrowded) this.#semaphore.resize(Math.max(this.#least, width - less));
  }
}

/** Returns a function for the idle share of all processors since its last call. */
function idleSince(): () => number {
  let before = times();
  return () => {
    const now = times();
    const [idle, all] = [now.idle - before.idle, now.all - before.all];
    before = now;
    return all > 0 ? idle / all : 0;
  };
}

function times(): { idle: number; all: number } {
  const every = cpus().map(({ times: each }) => each);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  return { idle: sum(every.map(({ idle }) => idle)), all: sum(every.flatMap((each) => Object.values(each))) };
}

/** So much of the processors has to be idle, over so many looks in a row. */
const quietShare = 0.3;
const looksInARow = 2;
/** How often it looks, and the longest wait before one check, and before all of a run, ms. */
const quietLookMs = 300;
const quietWithinMs = 8_000;
const quietInAllMs = 24_000;

/** What a wait for a quiet moment depends on: the idle share of the processors since its last call, and time in ms. */
interface Machine {
  readonly idleSince: () => () => number;
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const thisMachine: Machine = {
  idleSince,
  now: () => performance.now(),
  wait: (ms, signal) => wait(ms, undefined, { signal }),
};

/** The waits of one run for a machine that has time. On one that never has, many failures would wait for minutes. */
export class QuietMoments {
  readonly #machine: Machine;
  #leftMs = quietInAllMs;

  constructor(machine: Machine = thisMachine) {
    this.#machine = machine;
  }

  /**
   * Waits until the machine has time, so that a check which is judged again meets other conditions than at first; after some
   * time it waits no more.
   */
  async next(signal: AbortSignal): Promise<void> {
    const { idleSince: begin, now, wait: pause } = this.#machine;
    const idle = begin();
    const start = now();
    const until = start + Math.min(quietWithinMs, this.#leftMs);
    for (let quiet = 0; quiet < looksInARow && now() < until; ) {
      await pause(quietLookMs, signal);
      quiet = idle() >= quietShare ? quiet + 1 : 0;
    }
    this.#leftMs -= now() - start;
  }
}
