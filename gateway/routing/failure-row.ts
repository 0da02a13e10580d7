import { aloneAmong, isOf, type Witness } from './witness.ts';

/**
 * The failures since the last success, by witness. One cannot close a channel to all with one failure of another: chance
 * explains a single one.
 */
export class FailureRow {
  readonly #counts = new Map<Witness, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Who is to blame alone; null where enough failures are those of others. */
  get alone(): Witness | null {
    return aloneAmong(this.#counts, (all, ofWorst) => all - ofWorst >= witnessFailures);
  }

  /** The failures of a user or of all users of an account. */
  countOf(witness: Witness): number {
    return [...this.#counts].reduce((sum, [by, count]) => (isOf(by, witness) ? sum + count : sum), 0);
  }

  add(by: Witness): void {
    this.#counts.set(by, (this.#counts.get(by) ?? 0) + 1);
    this.#count += 1;
  }

  forget(witness: Witness): void {
    this.#count -= this.countOf(witness);
    for (const by of this.#counts.keys()) if (isOf(by, witness)) this.#counts.delete(by);
  }

  clear(): void {
    this.#counts.clear();
    this.#count = 0;
  }
}

/** Failures of accounts beside the worst one that show that the channel fails for all (B-108). */
export const witnessFailures = 2;
