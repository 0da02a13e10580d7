import { parseJson } from '../read-answer.ts';

/** A text that needs no escape in JSON. */
const plainText = /^[^"\\\p{Cc}]+$/u;
/** Some text, to see where it comes out. */
const probe = 'a text of our own';
/** Streams whose frames differ in more than their text are not tried for ever. */
const mostTries = 4;

/**
 * Most frames of a stream differ from the one before in their text alone. Once it is known what stands before and
 * behind the text of a frame, the next such frame needs no parser: another plain text in the same place is all that
 * its JSON can mean.
 */
export class TextFrames {
  /** The only text that a parsed frame brings; null when it brings anything else, or nothing. */
  readonly #textOf: (frame: unknown) => string | null;
  #before = '';
  #behind = '';
  #tries = 0;

  constructor(textOf: (frame: unknown) => string | null) {
    this.#textOf = textOf;
  }

  /** The text of a frame that is otherwise like the one learned from; null for any other. */
  read(data: string): string | null {
    if (this.#before === '' || !data.startsWith(this.#before) || !data.endsWith(this.#behind)) return null;
    const text = data.slice(this.#before.length, data.length - this.#behind.length);
    return plainText.test(text) ? text : null;
  }

  /** Learns from a frame that had to be parsed. */
  learn(data: string, frame: unknown): void {
    if (this.#tries >= mostTries) return;
    const text = this.#textOf(frame);
    if (text === null || !plainText.test(text)) return;
    this.#tries += 1;
    const at = data.lastIndexOf(`"${text}"`);
    if (at === -1) return;
    const before = data.slice(0, at + 1);
    const behind = data.slice(at + 1 + text.length);
    // The same text may stand elsewhere: only what comes out again for another one is the text of the frame.
    if (this.#textOf(parseJson(`${before}${probe}${behind}`)) !== probe) return;
    this.#before = before;
    this.#behind = behind;
  }
}
