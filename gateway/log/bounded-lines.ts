import type { Writable } from 'node:stream';

export interface BoundedLinesOptions {
  /** Where the lines go; its writes must not block. */
  readonly to: Writable;
  /** How much may wait for a reader, bytes. */
  readonly maxWaitingBytes: number;
  /** The line that reports how many were dropped. */
  readonly tellDropped: (lines: number) => string;
}

/**
 * Log lines for a reader that may be slow, stalled or gone. A line that finds too much waiting is dropped and counted,
 * and the next line that finds room is preceded by one that tells the number: whoever logs never waits. The lines of one
 * turn of the event loop are written together.
 */
export class BoundedLines {
  /** All dropped lines. */
  dropped = 0;
  readonly #options: BoundedLinesOptions;
  #untold = 0;
  /** The lines of this turn. */
  #gathered = '';
  #gatheredBytes = 0;

  constructor(options: BoundedLinesOptions) {
    this.#options = options;
    // A reader that is gone shows by `writable`.
    options.to.on('error', () => undefined);
  }

  write(line: string): void {
    const { to, maxWaitingBytes } = this.#options;
    const bytes = Buffer.byteLength(line);
    if (!to.writable || to.writableLength + this.#gatheredBytes + bytes > maxWaitingBytes) {
      this.dropped += 1;
      this.#untold += 1;
      return;
    }
    if (this.#gathered === '') setImmediate(() => this.#writeGathered());
    this.#tellDropped();
    this.#gathered += line;
    this.#gatheredBytes += bytes;
  }

  /** Resolves when nothing waits any more, or after this time. */
  async flush(limitMs: number): Promise<void> {
    const { to } = this.#options;
    if (!to.writable) return;
    this.#tellDropped();
    this.#writeGathered();
    const { promise, resolve } = Promise.withResolvers<void>();
    const limit = setTimeout(resolve, limitMs);
    to.once('error', () => resolve());
    to.write('', () => resolve());
    await promise;
    clearTimeout(limit);
  }

  #tellDropped(): void {
    const { tellDropped } = this.#options;
    if (this.#untold > 0) this.#gathered += tellDropped(this.#untold);
    this.#untold = 0;
  }

  #writeGathered(): void {
    const text = this.#gathered;
    this.#gathered = '';
    this.#gatheredBytes = 0;
    if (text !== '') this.#options.to.write(text);
  }
}
