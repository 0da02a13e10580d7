import { keyFingerprint } from '../requests/key-fingerprint.ts';

/** Forms of keys; more than any set-up has. */
const maxForms = 1000;

/** The keys that were told to the simulators. They are never shown again: not in an answer, journal or log. */
export class Redaction {
  /** Every form that a key may have on the wire, with what stands for it. */
  readonly #forms = new Map<string, string>();
  /** The same keys with any of their characters percent-encoded. */
  readonly #encoded = new Map<string, { readonly form: RegExp; readonly shown: string }>();
  #longestFirst: readonly (readonly [string, string])[] = [];

  /** Whether there was room for it. The key must be well-formed. */
  add(key: string): boolean {
    if (this.#forms.has(key)) return true;
    if (this.#forms.size >= maxForms) return false;
    const shown = keyFingerprint(key);
    const inUrl = encodeURIComponent(key);
    const inLowerCase = inUrl.replace(/%../g, (code) => code.toLowerCase());
    for (const form of [key, inUrl, inLowerCase, JSON.stringify(key).slice(1, -1)]) {
      this.#forms.set(form, shown);
    }
    this.#encoded.set(key, { form: encodedForm(key), shown });
    // A key that is part of another one must not leave the rest of it standing.
    this.#longestFirst = [...this.#forms].toSorted(([one], [other]) => other.length - one.length);
    return true;
  }

  text(given: string): string {
    const plain = this.#longestFirst.reduce((text, [form, shown]) => text.replaceAll(form, shown), given);
    if (!plain.includes('%')) return plain;
    return [...this.#encoded.values()].reduce((text, { form, shown }) => text.replace(form, shown), plain);
  }

  /** The value as it may be shown, without the keys in its texts and names. It must be JSON. */
  value<T>(given: T): T {
    return JSON.parse(JSON.stringify(given), (_name, part: unknown) => {
      if (typeof part === 'string') return this.text(part);
      if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
      return Object.fromEntries(Object.entries(part).map(([name, member]) => [this.text(name), member]));
    });
  }

  bytes(given: Buffer): Buffer {
    const found = this.#longestFirst.some(([form]) => given.includes(form));
    // Through latin1, in which every byte is one character and comes back as it was.
    return found
      ? Buffer.from(
          this.#longestFirst.reduce(
            (text, [form, shown]) => text.replaceAll(Buffer.from(form).toString('latin1'), shown),
            given.toString('latin1'),
          ),
          'latin1',
        )
      : given;
  }
}

/** Matches the key, whichever of its characters are percent-encoded. */
function encodedForm(key: string): RegExp {
  const parts = [...key].map((character) => {
    const itself = character.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');
    const codes = [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
      .join('');
    return `(?:${itself}|${codes.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)})`;
  });
  return new RegExp(parts.join(''), 'g');
}
