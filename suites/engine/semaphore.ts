/** Admits at most `width` callers at a time, in order of arrival. */
export class Semaphore {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(width: number) {
    this.#width = width;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#width) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside -= 1;
    }
  }
}
