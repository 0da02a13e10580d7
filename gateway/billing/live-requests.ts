/** Reports on the time since the watch began. */
export interface LiveWatch {
  /** Whether a request is live, or has been at any time since. */
  wasLive(requestId: string): boolean;
  stop(): void;
}

/** The requests of this process whose hold belongs in the database, or is being written there. */
export class LiveRequests {
  readonly #live = new Set<string>();
  /** For each watch, the requests that ended after it began. */
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

  /** For queries about holds: a request may end or hand its hold to a task while the query runs. */
  watch(): LiveWatch {
    const ended = new Set<string>();
    this.#ended.add(ended);
    return {
      wasLive: (requestId) => this.#live.has(requestId) || ended.has(requestId),
      stop: () => this.#ended.delete(ended),
    };
  }
}
