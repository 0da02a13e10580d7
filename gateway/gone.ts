/**
 * Reports that a caller has left or that work must end. It is the part of AbortSignal that calls need; a real one costs ten
 * times as much.
 */
export interface Gone {
  readonly aborted: boolean;
  /** The reason, if it comes from an AbortSignal. */
  readonly reason?: unknown;
  addEventListener(name: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(name: 'abort', listener: () => void): void;
}

/** A `Gone` of one owner, who aborts it. Each listener is called once. */
export class Leaving implements Gone {
  readonly #listeners = new Set<() => void>();
  #isGone = false;

  get aborted(): boolean {
    return this.#isGone;
  }

  addEventListener(_name: 'abort', listener: () => void): void {
    if (!this.#isGone) this.#listeners.add(listener);
  }

  removeEventListener(_name: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(): void {
    this.#isGone = true;
    for (const listener of this.#listeners) {
      this.#listeners.delete(listener);
      listener();
    }
  }
}
