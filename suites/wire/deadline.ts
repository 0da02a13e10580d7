/** A time limit that stands still while its owner waits for itself, so that this is not held against anybody else. */
export class Deadline {
  readonly #over = new AbortController();
  #leftMs: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number) {
    this.#leftMs = limitMs;
    this.resume();
  }

  /** Aborted once the time is up. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#since;
  }

  resume(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#over.abort(), Math.max(0, this.#leftMs)).unref();
  }

  /** Ends it without a word. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
