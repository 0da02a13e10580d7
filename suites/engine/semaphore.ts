/** Admits at most `width` callers at a time, in order of arrival. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #width: number;
  #inside = 0;

  constructor(width: number) {
    this.#width = width;
  }

  get width(): number {
    return this.#width;
  }

  /** Whether anything waits for admission. */
  get isFull(): boolean {
    return this.#waiting.length > 0;
  }

  /** Current holders stay. */
  resize(width: number): void {
    this.#width = width;
    this.#admit();
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#width) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      this.#admit();
    }
  }

  #admit(): void {
    while (this.#inside < this.#width) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#inside += 1;
      next();
    }
  }
}
