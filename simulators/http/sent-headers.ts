import { headerPairs } from './header-pairs.ts';

/** The headers of a request as they were sent. Most requests use only one or two of them, so the others are not parsed. */
export class SentHeaders {
  readonly #raw: readonly string[];
  #pairs: readonly [name: string, value: string][] | null = null;

  /** @param raw names and values, alternating */
  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get count(): number {
    return this.#raw.length / 2;
  }

  /** The length of all names and values. */
  get characters(): number {
    let sum = 0;
    for (const text of this.#raw) sum += text.length;
    return sum;
  }

  /** The first value under a lower-case name. */
  get(name: string): string | undefined {
    for (let at = 0; at < this.#raw.length; at += 2) {
      const given = this.#raw[at] ?? '';
      if (given.length === name.length && given.toLowerCase() === name) return this.#raw[at + 1];
    }
    return undefined;
  }

  /** In the order and case of the wire. */
  get pairs(): readonly [name: string, value: string][] {
    this.#pairs ??= headerPairs(this.#raw);
    return this.#pairs;
  }
}
