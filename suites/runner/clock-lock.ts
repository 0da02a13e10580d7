/**
 * How work uses the clock of a stack: it only reads it, it moves it together with other work (through one shared
 * {@link Lockstep}), or it needs the clock alone.
 */
export type ClockUse = 'read' | 'alone' | { readonly together: object };

/**
 * The lock on the clock of one stack. Work that leaves the clock runs side by side, and so does work that moves it together,
 * but not both. Nothing starves: once work waits, later work queues behind it.
 */
export class ClockLock {
  #use: ClockUse | null = null;
  #users = 0;
  readonly #queue: { readonly use: ClockUse; readonly enter: () => void }[] = [];

  async hold<T>(use: ClockUse, work: () => Promise<T>): Promise<T> {
    await this.#enter(use);
    try {
      return await work();
    } finally {
      this.#users -= 1;
      if (this.#users === 0) this.#use = null;
      this.#admit();
    }
  }

  /** Whether the clock is used in this way now. */
  isUsedBy(use: ClockUse): boolean {
    return this.#use !== null && this.#fits(use);
  }

  #enter(use: ClockUse): Promise<void> {
    return new Promise((resolve) => {
      this.#queue.push({ use, enter: resolve });
      this.#admit();
    });
  }

  #admit(): void {
    for (let next = this.#queue[0]; next !== undefined && this.#fits(next.use); next = this.#queue[0]) {
      this.#queue.shift();
      this.#use = next.use;
      this.#users += 1;
      next.enter();
    }
  }

  #fits(use: ClockUse): boolean {
    if (this.#use === null) return true;
    if (typeof use === 'object') return typeof this.#use === 'object' && this.#use.together === use.together;
    return use === 'read' && this.#use === 'read';
  }
}
