/**
 * Follows a text, one UTF-16 unit after the other, and knows how much of one stop it ends in at each moment (the
 * algorithm of Knuth, Morris and Pratt, so that no text and no stop can make it slow).
 */
export class StopMatcher {
  readonly #stop: string;
  /** By length of a beginning of the stop: how long a shorter one it ends in. Made as far as the text has needed it. */
  readonly #borders: number[] = [0, 0];
  #matched = 0;

  constructor(stop: string) {
    this.#stop = stop;
  }

  /** Length of the longest beginning of the stop that the text ends in. */
  get matched(): number {
    return this.#matched;
  }

  get isComplete(): boolean {
    return this.#matched === this.#stop.length;
  }

  /** Takes the next unit of the text. After a complete stop there is no next one. */
  take(unit: number): void {
    this.#matched = this.#longer(this.#matched, unit);
    if (this.#matched === this.#borders.length) this.#borders.push(this.#borderOfMatched());
  }

  /** The longest beginning that a text ends in when it ended in one of this length before the unit. */
  #longer(length: number, unit: number): number {
    let known = length;
    while (known > 0 && this.#stop.charCodeAt(known) !== unit) known = this.#borders[known] ?? 0;
    return this.#stop.charCodeAt(known) === unit ? known + 1 : 0;
  }

  #borderOfMatched(): number {
    const last = this.#matched - 1;
    return this.#longer(this.#borders[last] ?? 0, this.#stop.charCodeAt(last));
  }
}
