/** Counts the exchanges in progress: one can outlive its client, until its usage is recorded. */
export class Running {
  #count = 0;
  #waiting: (() => void)[] = [];

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when none is in progress. */
  idle(): Promise<void> {
    return this.#count === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }
}
