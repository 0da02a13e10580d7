import type { Exchange } from './exchange.ts';

/** What nearly every answer fits into, bytes: the longest streams of text are a tenth of it. */
export const usualBytes = 32 * 1024 * 1024;

/** Four of the largest images as base64 are shorter, bytes. */
export const largestBytes = 160 * 1024 * 1024;

/** What is kept of an answer that was left because it was too long, bytes: its beginning shows what it is. */
export const keptBytes = 64 * 1024;

/** Where answers that outgrow the usual take turns, so that the memory is bounded whatever is sent. */
export class LargeBodies {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Resolves when no other large answer is read; `leave` has to be called for each. */
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

/** Said of an answer that was left because it was too long. */
export function tooLong(maxBytes: number): string {
  return `more than ${maxBytes} bytes of body`;
}

/** Whether an answer was left because it was too long. */
export function isTooLong({ error }: Pick<Exchange, 'error'>): boolean {
  return error !== null && /^more than \d+ bytes of body$/.test(error);
}
