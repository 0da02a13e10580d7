import type { Writable } from 'node:stream';

export interface BoundedLinesOptions {
  /** Where the lines go; its writes must not block. */
  readonly to: Writable;
  /** How many bytes may wait for the reader. */
  readonly maxWaitingBytes: number;
  /** Makes the line that reports the number of dropped lines. */
  readonly tellDropped: (lines: number) => string;
}

/**
 * Log lines for a reader that may be slow, stalled or gone. A line that exceeds the limit is dropped and counted, so that
 * logging never waits. The next line with room is preceded by a line with that count. The lines of one turn of the event loop
 * are written together.
 */
export class BoundedLines {
  /** The total number of dropped lines. */
  dropped = 0;
  readonly #options: BoundedLinesOptions;
  #untold = 0;
  /** The lines of the current turn of the event loop. */
  #gathered = '';
  #gatheredBytes = 0;

  constructor(options: BoundedLinesOptions) {
    this.#options = options;
    // `writable` shows that a reader is gone.
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
