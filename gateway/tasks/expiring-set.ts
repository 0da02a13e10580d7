import type { Clock } from '../clock.ts';

/** A set of texts that expire after a while, with a maximum size: the oldest is forgotten first. */
export class ExpiringSet {
  readonly #max: number;
  readonly #keepMs: number;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** When each text expires, in order of insertion. */
  readonly #all = new Map<string, number>();

  constructor(max: number, keepMs: number, clock: Pick<Clock, 'monotonic'>) {
    this.#max = max;
    this.#keepMs = keepMs;
    this.#clock = clock;
  }

  /** False if the text is already in the set. Its expiry then stays the same. */
  add(text: string): boolean {
    this.#forget();
    if (this.#all.has(text)) return false;
    const [first] = this.#all.keys();
    if (this.#all.size >= this.#max && first !== undefined) this.#all.delete(first);
    this.#all.set(text, this.#clock.monotonic() + this.#keepMs);
    return true;
  }

  /** Removes the text; false if it was not in the set. */
  take(text: string): boolean {
    this.#forget();
    return this.#all.delete(text);
  }

  all(): string[] {
    this.#forget();
    return [...this.#all.keys()];
  }

  #forget(): void {
    const nowMs = this.#clock.monotonic();
    for (const [text, untilMs] of this.#all) {
      if (untilMs > nowMs) return;
      this.#all.delete(text);
    }
  }
}
