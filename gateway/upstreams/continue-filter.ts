/** The beginning of a preliminary answer that says only that the sender may go on; the digit after the point may differ. */
const beginning = Buffer.from('HTTP/1.1 100');
const minorAt = 7;
const headEnd = '\r\n\r\n';

/**
 * Takes `100 Continue` out of the bytes of an answer: nobody asked for it, it means nothing (fault T19), and undici, which
 * passes over all other preliminary answers, gives the connection up for it.
 */
export class ContinueFilter {
  readonly #maxBytes: number;
  #held: Buffer = Buffer.alloc(0);
  #isDone = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes that are not of such an answer; none while they could be. From the first that are not, all pass. */
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

  /** Whether what is held begins such an answer, as far as it goes. */
  #isContinue(): boolean {
    const known = Math.min(this.#held.length, beginning.length);
    for (let i = 0; i < known; i += 1) {
      if (i !== minorAt && this.#held[i] !== beginning[i]) return false;
    }
    return known > 0;
  }
}
