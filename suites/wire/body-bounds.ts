import type { Exchange } from './exchange.ts';

/** A size that fits almost every answer, bytes: ten times the longest text streams. */
export const usualBytes = 32 * 1024 * 1024;

/** Enough for four of the largest images as base64, bytes. */
export const largestBytes = 160 * 1024 * 1024;

/** How much is kept of an answer that was abandoned as too long, bytes: its beginning shows what it is. */
export const keptBytes = 64 * 1024;

/** A queue for answers above the usual size, so that memory stays bounded whatever is sent. */
export class LargeBodies {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Resolves when no other large answer is being read; call `leave` afterwards. */
  async enter(): Promise<void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}

/** The error of an answer that was abandoned as too long. */
export function tooLong(maxBytes: number): string {
  return `more than ${maxBytes} bytes of body`;
}

/** Whether an answer was abandoned as too long. */
export function isTooLong({ error }: Pick<Exchange, 'error'>): boolean {
  return error !== null && /^more than \d+ bytes of body$/.test(error);
}
