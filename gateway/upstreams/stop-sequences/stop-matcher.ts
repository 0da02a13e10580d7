/**
 * Follows a text one UTF-16 unit at a time. Tracks the longest prefix of a stop sequence that the text now ends with. Uses
 * the Knuth-Morris-Pratt algorithm, so no text and no stop sequence can make it slow.
 */
export class StopMatcher {
  readonly #stop: string;
  /** For each prefix length of the stop sequence: the length of its longest proper border. Computed on demand. */
  readonly #borders: number[] = [0, 0];
  #matched = 0;

  constructor(stop: string) {
    this.#stop = stop;
  }

  /** Length of the longest prefix of the stop sequence that the text ends with. */
  get matched(): number {
    return this.#matched;
  }

  get isComplete(): boolean {
    return this.#matched === this.#stop.length;
  }

  /** Takes the next unit of the text; not to be called after a complete match. */
  take(unit: number): void {
    this.#matched = this.#longer(this.#matched, unit);
    if (this.#matched === this.#borders.length) this.#borders.push(this.#borderOfMatched());
  }

  /** Length of the longest matching prefix after this unit, given the length matched before it. */
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
