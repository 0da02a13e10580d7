import type { Clock } from '../clock.ts';

/** How long to wait: as long as there is time, briefly, or not at all. */
type WaitLimit = 'full' | 'short' | 'none';

/** The work in flight, so that a caller can wait until it is done. One piece of work may begin the next. */
export class InFlight {
  readonly #all = new Map<Promise<unknown>, WaitLimit>();

  add(one: Promise<unknown>, limit: 'full' | 'short'): void {
    const over = (): void => {
      this.#all.delete(one);
    };
    this.#all.set(one, limit);
    one.then(over, over);
  }

  /**
   * Resolves when nothing is in flight, or after a timeout in real time. Work that hangs is waited for only once:
   * it waits for something else, not for us.
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

  #waited(limit: WaitLimit): Promise<unknown>[] {
    return [...this.#all].flatMap(([one, its]) => (its === limit ? [one] : []));
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
