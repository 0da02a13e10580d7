/** Answers for the time since it was asked for. */
export interface LiveWatch {
  /** Whether a request is live, or has been at any time since. */
  wasLive(requestId: string): boolean;
  stop(): void;
}

/** The requests of this process whose hold is rightly in the database, or being written there. */
export class LiveRequests {
  readonly #live = new Set<string>();
  /** For each watch the requests that were live when it began, or later, and are no more. */
  readonly #ended = new Set<Set<string>>();

  add(requestId: string): void {
    this.#live.add(requestId);
  }

  has(requestId: string): boolean {
    return this.#live.has(requestId);
  }

  delete(requestId: string): void {
    if (this.#live.delete(requestId)) for (const ended of this.#ended) ended.add(requestId);
  }

  /** For readers of the holds: while the answer is under way, a request may end, or pass its hold to its task. */
  watch(): LiveWatch {
    const ended = new Set<string>();
    this.#ended.add(ended);
    return {
      wasLive: (requestId) => this.#live.has(requestId) || ended.has(requestId),
      stop: () => this.#ended.delete(ended),
    };
  }
}
