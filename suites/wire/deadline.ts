/** A time limit that can be paused, so that delays on our side do not count. */
export class Deadline {
  readonly #over = new AbortController();
  readonly #waitedMs: () => number;
  /** How much of the waited time has been added, ms. */
  #addedMs: number;
  #leftMs: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param waitedMs how long its owner has waited for the clock, ms; that does not count either */
  constructor(limitMs: number, waitedMs: () => number = () => 0) {
    this.#leftMs = limitMs;
    this.#waitedMs = waitedMs;
    this.#addedMs = waitedMs();
    this.resume();
  }

  /** Aborted once the time is up. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#since;
  }

  resume(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#look(), Math.max(0, this.#leftMs)).unref();
  }

  #look(): void {
    const waitedMs = this.#waitedMs();
    this.#leftMs = waitedMs - this.#addedMs;
    this.#addedMs = waitedMs;
    if (this.#leftMs > 0) this.resume();
    else this.#over.abort(new DOMException('the time is up', 'TimeoutError'));
  }

  /** Stops the limit without aborting. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}

/** Aborts a call with the first of these signals, until unlinked. `AbortSignal.any` takes several times as long. */
export function abortWith(call: AbortController, signals: readonly AbortSignal[]): () => void {
  const cut = (): void => call.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', cut);
  if (signals.some(({ aborted }) => aborted)) cut();
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', cut);
  };
}
