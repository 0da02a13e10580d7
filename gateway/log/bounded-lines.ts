import type { Writable } from 'node:stream';

export interface BoundedLinesOptions {
  /** Where the lines go; its writes must not block. */
  readonly to: Writable;
  /** How much may wait for a reader, bytes. */
  readonly maxWaitingBytes: number;
  /** The line that tells how many were dropped. */
  readonly tellDropped: (lines: number) => string;
}

/**
 * Log lines for a reader that may be slow, stalled or gone. A line that finds too much waiting is dropped and counted,
 * and the next line that finds room is preceded by one that tells the number: whoever logs never waits.
 */
export class BoundedLines {
  /** All lines that nobody will read. */
  dropped = 0;
  readonly #options: BoundedLinesOptions;
  #untold = 0;

  constructor(options: BoundedLinesOptions) {
    this.#options = options;
    // A reader that is gone shows by `writable`.
    options.to.on('error', () => undefined);
  }

  write(line: string): void {
    const { to, maxWaitingBytes } = this.#options;
    if (!to.writable || to.writableLength + Buffer.byteLength(line) > maxWaitingBytes) {
      this.dropped += 1;
      this.#untold += 1;
      return;
    }
    this.#tellDropped();
    to.write(line);
  }

  /** Resolves when nothing waits any more, or after this time. */
  async flush(limitMs: number): Promise<void> {
    const { to } = this.#options;
    if (!to.writable) return;
    this.#tellDropped();
    const { promise, resolve } = Promise.withResolvers<void>();
    const limit = setTimeout(resolve, limitMs);
    to.once('error', () => resolve());
    to.write('', () => resolve());
    await promise;
    clearTimeout(limit);
  }

  #tellDropped(): void {
    const { to, tellDropped } = this.#options;
    if (this.#untold > 0) to.write(tellDropped(this.#untold));
    this.#untold = 0;
  }
}
