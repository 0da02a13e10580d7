/**
 * A read/write lock over the clock of one stack. Checks that only read the clock share it; a check that moves it
 * holds it alone. Writers are not starved: once one waits, later readers queue behind it.
 */
export class ClockLock {
  #readers = 0;
  #writing = false;
  readonly #queue: { writes: boolean; enter: () => void }[] = [];

  async hold<T>(mode: 'read' | 'jump', work: () => Promise<T>): Promise<T> {
    await this.#enter(mode === 'jump');
    try {
      return await work();
    } finally {
      if (mode === 'jump') this.#writing = false;
      else this.#readers -= 1;
      this.#admit();
    }
  }

  #enter(writes: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#queue.push({ writes, enter: resolve });
      this.#admit();
    });
  }

  #admit(): void {
    for (
      let next = this.#queue[0];
      next !== undefined && this.#mayEnter(next.writes);
      next = this.#queue[0]
    ) {
      this.#queue.shift();
      if (next.writes) this.#writing = true;
      else this.#readers += 1;
      next.enter();
    }
  }

  #mayEnter(writes: boolean): boolean {
    return !this.#writing && (!writes || this.#readers === 0);
  }
}
