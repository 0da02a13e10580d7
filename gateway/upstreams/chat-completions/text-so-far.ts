/**
 * Some servers send with each delta the whole text so far instead of what is new. A stream is taken for one of them if its
 * second delta begins with the first, and its third with the second, each with more behind it. Only such a second delta waits
 * for the next one. A model that says the same again and again is no such server, nor is one that counts: 1, 12, 123.
 */
export class TextSoFar {
  #kind: 'unknown' | 'parts' | 'wholes' = 'unknown';
  /** What has been passed on, unless the deltas are known to be parts. */
  #said = '';
  /** A second delta that begins with the first. */
  #held = '';

  /** The new text of a delta, with what was held back before it. */
  take(delta: string): string {
    if (this.#kind === 'parts' || delta === '') return delta;
    if (this.#kind === 'wholes') return this.#rest(delta);
    if (this.#said === '') {
      this.#said = delta;
      return delta;
    }
    if (this.#held !== '') return this.#decide(delta);
    if (!grows(this.#said, delta)) return this.#asPart(delta);
    this.#held = delta;
    return '';
  }

  /** What is still held back at the end. */
  close(): string {
    return this.#held === '' ? '' : this.#asPart('');
  }

  #decide(delta: string): string {
    if (delta.length < leastLength || !grows(this.#held, delta)) return this.#asPart(delta);
    this.#kind = 'wholes';
    this.#held = '';
    return this.#rest(delta);
  }

  #asPart(delta: string): string {
    const text = this.#held + delta;
    this.#kind = 'parts';
    this.#said = '';
    this.#held = '';
    return text;
  }

  /** Some servers also send a text so far once more, or only what is new behind it. */
  #rest(delta: string): string {
    const isWhole = delta.startsWith(this.#said);
    const text = isWhole ? delta.slice(this.#said.length) : delta;
    this.#said = isWhole ? delta : this.#said + delta;
    return text;
  }
}

/** Shorter texts may begin alike by chance, characters. */
const leastLength = 6;

/** Whether a text begins with an earlier one and goes on otherwise than that one began. */
function grows(earlier: string, text: string): boolean {
  const more = text.slice(earlier.length);
  return more !== '' && text.startsWith(earlier) && !text.startsWith(more.slice(0, 2));
}
