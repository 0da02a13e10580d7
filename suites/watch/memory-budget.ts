/** Limits how many bytes of passing bodies are kept until they are judged. */
export class MemoryBudget {
  readonly #perExchange: number;
  readonly #inAll: number;
  #held = 0;

  /** @param perExchange bytes of one request and its answer; @param inAll bytes of all that are under way */
  constructor(perExchange: number, inAll: number) {
    this.#perExchange = perExchange;
    this.#inAll = inAll;
  }

  get held(): number {
    return this.#held;
  }

  /** Reserves memory for more bytes of an exchange that already has `kept`; returns the reason if it cannot. */
  enter(kept: number, more: number): 'too large' | 'no memory' | null {
    if (kept + more > this.#perExchange) return 'too large';
    if (this.#held + more > this.#inAll) return 'no memory';
    this.#held += more;
    return null;
  }

  leave(bytes: number): void {
    this.#held -= bytes;
  }
}
