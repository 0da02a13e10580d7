import type { Clock } from '../clock.ts';

/** Texts that are kept in mind for a while, and so many at most: those that came first are forgotten first. */
export class ExpiringSet {
  readonly #max: number;
  readonly #keepMs: number;
  readonly #clock: Pick<Clock, 'now'>;
  /** When each is forgotten, in the order in which they came. */
  readonly #all = new Map<string, number>();

  constructor(max: number, keepMs: number, clock: Pick<Clock, 'now'>) {
    this.#max = max;
    this.#keepMs = keepMs;
    this.#clock = clock;
  }

  /** False when it is kept in mind already: it is forgotten no later for that. */
  add(text: string): boolean {
    this.#forget();
    if (this.#all.has(text)) return false;
    const [first] = this.#all.keys();
    if (this.#all.size >= this.#max && first !== undefined) this.#all.delete(first);
    this.#all.set(text, this.#clock.now() + this.#keepMs);
    return true;
  }

  /** Forgets it; false when it was not kept in mind. */
  take(text: string): boolean {
    this.#forget();
    return this.#all.delete(text);
  }

  all(): string[] {
    this.#forget();
    return [...this.#all.keys()];
  }

  #forget(): void {
    const nowMs = this.#clock.now();
    for (const [text, untilMs] of this.#all) {
      if (untilMs > nowMs) return;
      this.#all.delete(text);
    }
  }
}
