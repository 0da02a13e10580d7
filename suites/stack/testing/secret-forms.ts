/** A secret in one of the encodings in which a file or an answer could contain it. */
export interface SecretForm {
  readonly name: string;
  readonly form: string;
}

/** Shorter fragments would match by chance. */
const minLength = 10;

/**
 * All encodings of a text: plain, escaped for JSON, URLs and HTML, in hexadecimal, and as base64 at every
 * alignment.
 */
export function secretForms(secret: string): SecretForm[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const percent = hex.replaceAll(/../g, '%$&');
  const escaped = [...secret]
    .map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
  const forms: SecretForm[] = [
    { name: 'as it is', form: bytes.toString('latin1') },
    { name: 'in JSON', form: JSON.stringify(secret).slice(1, -1) },
    { name: 'in JSON in JSON', form: JSON.stringify(JSON.stringify(secret)).slice(3, -3) },
    { name: 'in JSON, every character escaped', form: escaped },
    { name: 'in an address', form: encodeURIComponent(secret) },
    { name: 'in a form', form: new URLSearchParams({ s: secret }).toString().slice(2) },
    { name: 'in an address, every byte encoded', form: percent },
    { name: 'in an address, every byte encoded in capitals', form: percent.toUpperCase() },
    {
      name: 'in HTML',
      form: secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    },
    { name: 'in hexadecimal', form: hex },
    { name: 'in hexadecimal in capitals', form: hex.toUpperCase() },
    ...[0, 1, 2].flatMap((before) => inBase64(bytes, before)),
  ];
  const known = new Set<string>();
  return forms.filter(({ form }) => form.length >= minLength && !known.has(form) && known.add(form));
}

/**
 * The base64 characters that do not depend on the neighbouring bytes, when the secret begins `before` bytes into a
 * group of three.
 */
function inBase64(bytes: Buffer, before: number): SecretForm[] {
  const whole = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const first = Math.ceil((before * 8) / 6);
  const complete = Math.floor(((before + bytes.length) * 8) / 6);
  const form = whole.slice(first, complete);
  return [
    { name: `in base64, ${before} bytes into a group`, form },
    {
      name: `in base64url, ${before} bytes into a group`,
      form: form.replaceAll('+', '-').replaceAll('/', '_'),
    },
  ];
}

/** The secrets found in these places, one message each. */
export function leaksIn(
  places: Readonly<Record<string, string | Buffer>>,
  secrets: Readonly<Record<string, string>>,
): string[] {
  const search = new Search(secrets);
  return Object.entries(places).flatMap(([place, content]) =>
    [...search.in(Buffer.from(content))].map((leak) => `${place}: ${leak}`),
  );
}

/**
 * Searches for all forms of all secrets in one pass, because databases are large and there are a thousand forms.
 */
class Search {
  /** The forms, by their first three bytes. */
  readonly #beginnings = new Map<number, { bytes: Buffer; leak: string }[]>();
  /** Whether any form begins with these two bytes. This rules out most positions at once. */
  readonly #isBeginning = new Uint8Array(2 ** 16);

  constructor(secrets: Readonly<Record<string, string>>) {
    for (const [secret, value] of Object.entries(secrets)) {
      for (const { name, form } of secretForms(value)) {
        const bytes = Buffer.from(form, 'latin1');
        const beginning = bytes.readUIntBE(0, 3);
        this.#isBeginning[beginning >> 8] = 1;
        this.#beginnings.set(beginning, [
          ...(this.#beginnings.get(beginning) ?? []),
          { bytes, leak: `${secret} ${name}` },
        ]);
      }
    }
  }

  in(content: Buffer): Set<string> {
    const found = new Set<string>();
    let last = 0;
    for (let at = 0; at < content.length; at += 1) {
      last = ((last << 8) | (content[at] ?? 0)) & 0xffffff;
      if (this.#isBeginning[last >> 8] !== 1) continue;
      for (const { bytes, leak } of this.#beginnings.get(last) ?? [])
        if (content.subarray(at - 2, at - 2 + bytes.length).equals(bytes)) found.add(leak);
    }
    return found;
  }
}
