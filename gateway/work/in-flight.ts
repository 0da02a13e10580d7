import type { Clock } from '../clock.ts';

/** How long something is waited for: as long as there is time, a moment, or no more. */
type Patience = 'full' | 'short' | 'none';

/** What is under way, for those who wait until nothing is; one thing may begin the next. */
export class InFlight {
  readonly #all = new Map<Promise<unknown>, Patience>();

  add(one: Promise<unknown>, patience: 'full' | 'short'): void {
    const over = (): void => {
      this.#all.delete(one);
    };
    this.#all.set(one, patience);
    one.then(over, over);
  }

  /**
   * Resolves when nothing is under way any more, or after a while of real time. What hangs is waited for only once: it waits
   * for something itself, and not for us.
   */
  async settled(timer: Pick<Clock, 'schedule'>, withinMs: number, shortMs: number): Promise<void> {
    const [enough, tooLong] = [alarm(timer, Math.min(shortMs, withinMs)), alarm(timer, withinMs)];
    for (;;) {
      const full = this.#waited('full');
      const awaited = full.length > 0 ? full : this.#waited('short');
      if (awaited.length === 0) break;
      const late = full.length > 0 ? tooLong : enough;
      await Promise.race([Promise.allSettled(awaited), late.rings]);
      for (const one of awaited) if (this.#all.has(one)) this.#all.set(one, 'none');
      if (tooLong.hasRung()) break;
    }
    enough.cancel();
    tooLong.cancel();
  }

  #waited(patience: Patience): Promise<unknown>[] {
    return [...this.#all].flatMap(([one, its]) => (its === patience ? [one] : []));
  }
}

interface Alarm {
  readonly rings: Promise<void>;
  hasRung(): boolean;
  cancel(): void;
}

function alarm(timer: Pick<Clock, 'schedule'>, ms: number): Alarm {
  const { promise: rings, resolve } = Promise.withResolvers<void>();
  let hasRung = false;
  const { cancel } = timer.schedule(ms, () => {
    hasRung = true;
    resolve();
  });
  return { rings, hasRung: () => hasRung, cancel };
}
