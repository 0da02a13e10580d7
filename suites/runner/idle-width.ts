import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Semaphore } from '../engine/semaphore.ts';

/** With more of the processors idle there is room for further checks; with less there are too many. */
const idleWithRoom = 0.15;
const idleWhenFull = 0.03;

/** How many checks more or less each look admits, and how often it looks, ms. */
const more = 2;
const less = 1;
export const lookEachMs = 500;

/**
 * Fits the number of checks side by side to the machine: where answers take time, many of them only wait, and more can run;
 * where the processors are busy, more checks would only make each answer later.
 */
export class IdleWidth {
  readonly #semaphore: Semaphore;
  readonly #least: number;
  readonly #most: number;
  readonly #idleShare: () => number;
  #isCrowded = false;

  /** @param idleShare the idle share of the processors since it was last asked */
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

  /** Whether the processors had no time left at the last look. */
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

/** The idle share of all processors between two questions; none at first. */
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
/** How often it looks, and the longest wait, ms. */
const quietLookMs = 300;
const quietWithinMs = 8_000;

/**
 * Waits until the machine has time, so that a check which is judged again meets other conditions than at first; after some
 * time it waits no more.
 */
export async function quietMoment(signal: AbortSignal): Promise<void> {
  const idle = idleSince();
  const until = performance.now() + quietWithinMs;
  idle();
  for (let quiet = 0; quiet < looksInARow && performance.now() < until; ) {
    await wait(quietLookMs, undefined, { signal });
    quiet = idle() >= quietShare ? quiet + 1 : 0;
  }
}
