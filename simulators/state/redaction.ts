import { keyFingerprint } from '../requests/key-fingerprint.ts';

/** The limit of key forms; more than any setup has. */
const maxForms = 1000;

/** The keys given to the simulators. They are never shown again in an answer, journal or log. */
export class Redaction {
  /** Every form that a key may have on the wire, with its replacement. */
  readonly #forms = new Map<string, string>();
  /** The same keys with any of their characters percent-encoded. */
  readonly #encoded = new Map<string, { readonly form: RegExp; readonly shown: string }>();
  #longestFirst: readonly (readonly [string, string])[] = [];

  /** Adds a key; returns false at the limit. The key must be well-formed. */
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
    // Longest first: replacing a key that is part of a longer one would leave the rest of that visible.
    this.#longestFirst = [...this.#forms].toSorted(([one], [other]) => other.length - one.length);
    return true;
  }

  text(given: string): string {
    const plain = this.#longestFirst.reduce((text, [form, shown]) => text.replaceAll(form, shown), given);
    if (!plain.includes('%')) return plain;
    return [...this.#encoded.values()].reduce((text, { form, shown }) => text.replace(form, shown), plain);
  }

  /** A copy of the value without the keys in its texts and names. The value must be JSON. */
  value<T>(given: T): T {
    return JSON.parse(JSON.stringify(given), (_name, part: unknown) => {
      if (typeof part === 'string') return this.text(part);
      if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
      return Object.fromEntries(Object.entries(part).map(([name, member]) => [this.text(name), member]));
    });
  }

  bytes(given: Buffer): Buffer {
    const found = this.#longestFirst.some(([form]) => given.includes(form));
    // Latin1 maps every byte to one character, so the conversion loses nothing.
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

/** Bytes. Longer than any key, so that a cut cannot leave half a key visible. */
const longestKey = 4_096;

/** At most `most` bytes of a body, in base64, without the keys in it. */
export function shownBody(parts: readonly Buffer[], most: number, redaction: Redaction): string {
  const head: Buffer[] = [];
  for (let length = 0, at = 0; at < parts.length && length < most + longestKey; at += 1) {
    const part = parts[at] ?? Buffer.alloc(0);
    head.push(part);
    length += part.length;
  }
  const bytes = Buffer.concat(head).subarray(0, most + longestKey);
  return redaction.bytes(bytes).subarray(0, most).toString('base64');
}
