/** The beginning of an interim `100 Continue` answer; the digit after the point may differ. */
const beginning = Buffer.from('HTTP/1.1 100');
const minorAt = 7;
const headEnd = '\r\n\r\n';

/**
 * Removes `100 Continue` from the bytes of an answer: it was not requested and means nothing (fault T19). undici
 * skips all other interim answers but closes the connection for this one.
 */
export class ContinueFilter {
  readonly #maxBytes: number;
  #held: Buffer = Buffer.alloc(0);
  #isDone = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns the bytes outside such an answer, or null while they could still belong to one. From the first other
   * byte, all pass.
   */
  take(chunk: Buffer): Buffer | null {
    if (this.#isDone) return chunk;
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    while (this.#isContinue()) {
      const end = this.#held.indexOf(headEnd);
      if (end === -1 && this.#held.length <= this.#maxBytes) return null;
      if (end === -1) break;
      this.#held = this.#held.subarray(end + headEnd.length);
    }
    if (this.#held.length === 0) return null;
    this.#isDone = true;
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    return rest;
  }

  /** Whether the bytes held so far match the beginning of such an answer. */
  #isContinue(): boolean {
    const known = Math.min(this.#held.length, beginning.length);
    for (let i = 0; i < known; i += 1) {
      if (i !== minorAt && this.#held[i] !== beginning[i]) return false;
    }
    return known > 0;
  }
}
