/** How much of passing bodies is kept until they are judged. */
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

  /** Makes room for more of an exchange of which `kept` bytes are there; says why there is none. */
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
