/** Work that goes on beside a loop, which hears of its errors. */
export class Beside {
  readonly #open = new Set<Promise<void>>();
  #fault: { readonly error: unknown } | null = null;
  #isBusy = false;

  start(work: () => Promise<void>): void {
    const going = work()
      .catch((error: unknown) => {
        this.#fault ??= { error };
      })
      .finally(() => this.#open.delete(going));
    this.#open.add(going);
  }

  /** Does this, unless the last such work is not over. */
  async once(work: () => Promise<void>): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await work();
    } finally {
      this.#isBusy = false;
    }
  }

  throwIfBroken(): void {
    if (this.#fault !== null) throw this.#fault.error;
  }

  /** Resolves when nothing is under way any more. */
  async over(): Promise<void> {
    await Promise.all(this.#open);
    this.throwIfBroken();
  }
}
