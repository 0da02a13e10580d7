export type Header = readonly [name: string, value: string];

/** Header names with these endings carry secrets; each vendor has its own names. */
const secretHeader =
  /(?:^|[-_])(?:authorization|auth|cookie|token|secret|password|signature|(?:api)?(?<!idempotency[-_])key)$/i;

/** Query parameters whose values are secrets. */
const secretParameters: readonly string[] = [
  '(?:[\\w-]+[_-])?(?:api[_-]?)?key',
  '(?:[\\w-]+[_-])?token',
  '(?:[\\w-]+[_-])?(?:secret|password|signature)',
  'auth',
  'sig',
];

/** Shorter secrets are blanked only in their own place. Elsewhere the same text may be harmless. */
const minBytesElsewhere = 8;

/** The secret values in the headers and the target of a request. */
export function secretsIn(headers: readonly Header[], target: string): Set<string> {
  const inHeaders = headers.flatMap(([name, value]) => secretPartsOf(name, value));
  const inTarget = [...target.matchAll(parameterPattern)].map(([, , value = '']) => value);
  return new Set([...inHeaders, ...inTarget].filter((secret) => secret !== ''));
}

/** The header with its secrets blanked. */
export function blankHeader([name, value]: Header): Header {
  const blanked = secretPartsOf(name, value).reduce(
    (text, secret) => text.replaceAll(secret, blank(secret)),
    value,
  );
  return [name, blanked];
}

/** The target of a request with its secrets blanked. */
export function blankTarget(target: string): string {
  return target.replaceAll(parameterPattern, (_, before: string, value: string) => before + blank(value));
}

/** Finds secrets in other bytes, in each encoding they may have there. */
export class Blanking {
  readonly #pattern: RegExp | null;

  constructor(secrets: Iterable<string>) {
    const forms = [...secrets]
      .filter((secret) => Buffer.byteLength(secret, 'latin1') >= minBytesElsewhere)
      .flatMap(formsOf)
      // Longest first: blanking a secret inside another one must not leave the rest visible.
      .toSorted((one, other) => other.length - one.length);
    this.#pattern =
      forms.length === 0
        ? null
        : new RegExp(forms.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g');
  }

  isIn(bytes: Buffer): boolean {
    return this.#pattern !== null && bytes.toString('latin1').search(this.#pattern) !== -1;
  }

  text(given: string): string {
    return this.#pattern === null ? given : given.replaceAll(this.#pattern, blank);
  }

  /** Redacts bytes without changing their number. */
  bytes(given: Buffer): Buffer {
    // In latin1 every byte is one character and survives the round trip.
    return this.isIn(given) ? Buffer.from(this.text(given.toString('latin1')), 'latin1') : given;
  }
}

const parameterPattern = new RegExp(`([?&](?:${secretParameters.join('|')})=)([^&#]*)`, 'gi');

/** The secret parts of a header: credentials without their scheme, cookie values without attributes. */
function secretPartsOf(name: string, value: string): string[] {
  const lower = name.toLowerCase();
  if (!secretHeader.test(lower)) return [];
  const credential = value.replace(/^\s*[A-Za-z-]+[ \t]+/, '').trim();
  if (lower.endsWith('authorization')) return [credential];
  if (!lower.endsWith('cookie')) return [value.trim(), credential];
  const cookies = lower === 'cookie' ? value.split(';') : value.split(';').slice(0, 1);
  return cookies.map((cookie) => cookie.slice(cookie.indexOf('=') + 1).trim()).filter((part) => part !== '');
}

/** The secret plain and decoded, each also URL-, JSON-, hex- and base64-encoded; all in latin1. */
function formsOf(secret: string): string[] {
  const values = [secret, fromPercent(secret), ...fromBasic(secret)].filter(
    (value) => value.length >= minBytesElsewhere,
  );
  return [...new Set(values.flatMap(encodingsOf))];
}

function encodingsOf(value: string): string[] {
  const bytes = Buffer.from(value, 'latin1');
  const url = [encodeURIComponent(value), percentEncoded(bytes)];
  const json = escaped(value);
  const hex = bytes.toString('hex');
  const base64 = [
    bytes.toString('base64').replace(/=+$/, ''),
    ...[0, 1, 2].map((at) => base64After(at, bytes)),
  ];
  return [
    value,
    ...url,
    ...url.map((form) => form.replace(/%../g, (code) => code.toLowerCase())),
    json,
    // JSON inside JSON: answers quote answers.
    escaped(json),
    json.replaceAll('/', '\\/'),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The base64 of bytes behind `before` other bytes, without the digits shared with neighbours. */
function base64After(before: number, bytes: Buffer): string {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

function percentEncoded(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(
      /[^A-Za-z0-9_.~-]/g,
      (byte) => `%${Buffer.from(byte, 'latin1').toString('hex').toUpperCase()}`,
    );
}

function fromPercent(secret: string): string {
  try {
    return Buffer.from(decodeURIComponent(secret)).toString('latin1');
  } catch {
    return secret;
  }
}

/** The password of Basic credentials, alone and with its user. */
function fromBasic(secret: string): string[] {
  if (!/^[A-Za-z0-9+/]+=*$/.test(secret)) return [];
  const pair = Buffer.from(secret, 'base64').toString('latin1');
  const colon = pair.indexOf(':');
  return /^[ -~]+$/.test(pair) && colon !== -1 ? [pair, pair.slice(colon + 1)] : [];
}

/**
 * Replaces every letter by an a and every digit by a 1, byte for byte.
 * Escapes and punctuation stay, so JSON, URLs and base64 still parse.
 */
export function blank(secret: string): string {
  return secret.replaceAll(/\\(?:u[0-9a-fA-F]{4}|.)|[^ -~]|[A-Za-z0-9]/gs, (found) => {
    if (found.length > 1) return found;
    if (/[0-9]/.test(found)) return '1';
    return /[A-Z]/.test(found) ? 'A' : 'a';
  });
}
