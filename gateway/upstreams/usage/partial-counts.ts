import type { Counts } from './read-report.ts';

/** With fewer pieces, a report of one token may be the whole of a short answer. */
const fewestPieces = 3;

/**
 * Recognises counts that a stream reports in parts: each report has only the tokens of its own piece of text. A piece has a
 * token at least, so reports that never reach the number of pieces, and fall or are all 1, cannot be sums so far. Reports
 * that are all 1 beside the whole prompt, each time, are a small count of the whole answer.
 */
export class PartialCounts {
  #pieces = 0;
  #counted = 0;
  #sum = 0;
  #last = 0;
  #highest = 0;
  #hasFallen = false;
  #prompts = 0;

  /** Takes the counts of a report. */
  add({ completion = 0, prompt = 0 }: Pick<Counts, 'completion' | 'prompt'>): void {
    if (prompt > 0) this.#prompts += 1;
    this.#last = completion;
    this.#sum += completion;
    if (completion > 0) this.#hasFallen ||= completion < this.#highest;
    this.#highest = Math.max(this.#highest, completion);
  }

  /** The report before was sent with a piece of text. */
  sawPiece(): void {
    this.#pieces += 1;
    if (this.#last > 0) this.#counted += 1;
    this.#last = 0;
  }

  /** The sum of all parts; null where the reports are no parts. */
  sum(largest: number): number | null {
    const isEach = this.#pieces >= fewestPieces && this.#counted === this.#pieces;
    const areParts = this.#hasFallen || (this.#highest === 1 && this.#prompts <= 1);
    return isEach && areParts && largest < this.#pieces ? this.#sum : null;
  }
}
