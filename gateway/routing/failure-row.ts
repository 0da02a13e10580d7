/**
 * The failures since the last success, by account. An account cannot close a channel to all with one failure of another: chance
 * explains a single one.
 */
export class FailureRow {
  readonly #counts = new Map<string, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The account that is to blame alone; null where enough failures are those of others. */
  get alone(): string | null {
    const [by, most] = [...this.#counts].reduce((worst, one) => (one[1] > worst[1] ? one : worst), ['', 0]);
    return this.#count - most < witnessFailures ? by : null;
  }

  countOf(by: string): number {
    return this.#counts.get(by) ?? 0;
  }

  add(by: string): void {
    this.#counts.set(by, this.countOf(by) + 1);
    this.#count += 1;
  }

  forget(by: string): void {
    this.#count -= this.countOf(by);
    this.#counts.delete(by);
  }

  clear(): void {
    this.#counts.clear();
    this.#count = 0;
  }
}

/** Failures of accounts beside the worst one that show that the channel fails for all (B-108). */
export const witnessFailures = 2;
