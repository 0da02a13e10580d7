import { setTimeout as wait } from 'node:timers/promises';
import { idleSince } from './idle-width.ts';

/** So much of the processors has to be idle, over so many looks in a row. */
const idleShare = 0.3;
const looksInARow = 2;
/** How often it looks, and the longest wait, ms. */
const lookMs = 300;
const withinMs = 8_000;

/**
 * Waits until the machine has time, so that a check which is judged again meets other conditions than at first; after some
 * time it waits no more.
 */
export async function quietMoment(signal: AbortSignal, idle: () => number = idleSince()): Promise<void> {
  const until = performance.now() + withinMs;
  idle();
  for (let quiet = 0; quiet < looksInARow && performance.now() < until; ) {
    await wait(lookMs, undefined, { signal });
    quiet = idle() >= idleShare ? quiet + 1 : 0;
  }
}
