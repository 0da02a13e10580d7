import { parseJson } from '../read-answer.ts';

/** A text that needs no escape in JSON. */
const plainText = /^[^"\\\p{Cc}]+$/u;
/** A known text, to find where it appears in the output. */
const probe = 'a text of our own';
/** Start of a final member that hides the length of the text. */
const paddingStart = ',"obfuscation":"';
const restOfPadding = /^[\w-]*"\}$/;
/** Maximum attempts to learn, for streams whose frames differ in more than their text. */
const mostTries = 4;

/**
 * Most frames of a stream differ from the previous one only in their text. Once the bytes before and after the text of a
 * frame are known, the next such frame needs no parser. Its JSON can only mean another plain text in the same place.
 */
export class TextFrames {
  /** The only text that a parsed frame contains; null if it contains anything else, or nothing. */
  readonly #textOf: (frame: unknown) => string | null;
  #before = '';
  #behind = '';
  /** Whether the frame ends in a padding, which differs each time. */
  #isPadded = false;
  #tries = 0;

  constructor(textOf: (frame: unknown) => string | null) {
    this.#textOf = textOf;
  }

  /** The text of a frame that otherwise equals the learned one; null for any other. */
  read(data: string): string | null {
    // V8 compares slices four times as fast as `startsWith`.
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
    // Includes the quote that ends the text.
    const behind = data.slice(at + 1 + text.length);
    // The same text may appear elsewhere. So replace it by a probe, which must come out as the text of the frame.
    if (this.#textOf(parseJson(`${before}${probe}${behind}`)) !== probe) return;
    const padding = behind.lastIndexOf(paddingStart) + paddingStart.length;
    this.#before = before;
    this.#isPadded = padding >= paddingStart.length && restOfPadding.test(behind.slice(padding));
    this.#behind = this.#isPadded ? behind.slice(0, padding) : behind;
  }
}
