import type { Clock } from '../clock.ts';

/** What is under way may begin something else once, which does not. */
const ROUNDS = 2;

/** What is under way, for those who wait until nothing is. */
export class UnderWay {
  readonly #all = new Set<Promise<unknown>>();
  /** What was waited for in vain: it waits for something itself, and not for us. */
  readonly #slow = new WeakSet<Promise<unknown>>();

  add<Result>(one: Promise<Result>): Promise<Result> {
    const over = (): void => {
      this.#all.delete(one);
    };
    this.#all.add(one);
    one.then(over, over);
    return one;
  }

  /** Resolves when all that is under way now is over, and what that began, or after a while. */
  async settled(timer: Pick<Clock, 'schedule'>, withinMs: number): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    let isLate = false;
    const alarm = timer.schedule(withinMs, () => {
      isLate = true;
      resolve();
    });
    for (let round = 0; round < ROUNDS && !isLate; round += 1) {
      const awaited = [...this.#all].filter((one) => !this.#slow.has(one));
      await Promise.race([Promise.allSettled(awaited), late]);
      for (const one of awaited) if (this.#all.has(one)) this.#slow.add(one);
    }
    alarm.cancel();
  }
}
