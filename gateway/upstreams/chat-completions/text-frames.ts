import { parseJson } from '../read-answer.ts';

/** A text that needs no escape in JSON. */
const plainText = /^[^"\\\p{Cc}]+$/u;
/** Some text, to see where it comes out. */
const probe = 'a text of our own';
/** A last member that hides how long the text is. */
const paddingStart = ',"obfuscation":"';
const restOfPadding = /^[\w-]*"\}$/;
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
  /** The frame ends in a padding, which is another one each time. */
  #isPadded = false;
  #tries = 0;

  constructor(textOf: (frame: unknown) => string | null) {
    this.#textOf = textOf;
  }

  /** The text of a frame that is otherwise like the one learned from; null for any other. */
  read(data: string): string | null {
    // V8 compares pieces four times as fast as it looks for a beginning.
    if (this.#before === '' || data.slice(0, this.#before.length) !== this.#before) return null;
    const end = data.indexOf('"', this.#before.length);
    if (end === -1) return null;
    const at = end + this.#behind.length;
    if (data.slice(end, at) !== this.#behind) return null;
    if (this.#isPadded ? !restOfPadding.test(data.slice(at)) : at !== data.length) return null;
    const text = data.slice(this.#before.length, end);
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
    // From the quote that ends the text.
    const behind = data.slice(at + 1 + text.length);
    // The same text may stand elsewhere: only what comes out again for another one is the text of the frame.
    if (this.#textOf(parseJson(`${before}${probe}${behind}`)) !== probe) return;
    const padding = behind.lastIndexOf(paddingStart) + paddingStart.length;
    this.#before = before;
    this.#isPadded = padding >= paddingStart.length && restOfPadding.test(behind.slice(padding));
    this.#behind = this.#isPadded ? behind.slice(0, padding) : behind;
  }
}
