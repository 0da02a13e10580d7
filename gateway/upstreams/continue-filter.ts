/** The beginning of a preliminary answer that says only that the sender may go on; the digit after the point may differ. */
const BEGINNING = Buffer.from('HTTP/1.1 100');
const MINOR_AT = 7;
const HEAD_END = '\r\n\r\n';

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
      const end = this.#held.indexOf(HEAD_END);
      if (end === -1 && this.#held.length <= this.#maxBytes) return null;
      if (end === -1) break;
      this.#held = this.#held.subarray(end + HEAD_END.length);
    }
    if (this.#held.length === 0) return null;
    this.#isDone = true;
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    return rest;
  }

  /** Whether what is held begins such an answer, as far as it goes. */
  #isContinue(): boolean {
    const known = Math.min(this.#held.length, BEGINNING.length);
    for (let i = 0; i < known; i += 1) {
      if (i !== MINOR_AT && this.#held[i] !== BEGINNING[i]) return false;
    }
    return known > 0;
  }
}
