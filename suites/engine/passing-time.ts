import { setTimeout as wait } from 'node:timers/promises';
import { Untestable } from '../rules/violation.ts';
import { canWait } from './facts.ts';
import type { KitParts } from './kit-parts.ts';

/** Without a clock to be moved: the longest single wait, and all waits of one check together, ms. */
const longestWaitMs = 10_000;
const longestWaitsMs = 60_000;

/** Lets the time of one check's deployment pass. */
export class PassingTime {
  readonly #parts: Pick<KitParts, 'clock' | 'profile' | 'signal'>;
  #waitedMs = 0;

  constructor(parts: Pick<KitParts, 'clock' | 'profile' | 'signal'>) {
    this.#parts = parts;
  }

  /**
   * A jump where there is a clock hook, else waiting where the declared times are short enough for that, and this wait
   * and all before it are.
   * @throws Untestable when neither is possible.
   */
  async elapse(ms: number): Promise<void> {
    const { clock, profile, signal } = this.#parts;
    if (clock !== null) await clock.advance(ms);
    else if (canWait(profile) && ms <= longestWaitMs && this.#waitedMs + ms <= longestWaitsMs) {
      this.#waitedMs += ms;
      await wait(ms, undefined, { signal });
    } else throw new Untestable('hooks.clock');
  }
}
