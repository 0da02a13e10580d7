import type { Profile } from '../profile/profile.ts';
import { countWhile } from '../values/count-while.ts';

/** Replaces every secret of a profile in a text, in every encoding. */
export type Redact = (text: string) => string;

/**
 * A value of `key` in a query that is not a placeholder yet. No report may show any text that was sent as a
 * credential.
 */
const keyInQuery = /([?&]key=)(?!\$GATECHECK_)[^&#\s"'\\]+/g;

/**
 * Creates a redactor for the secrets of one profile.
 * K1 becomes `$GATECHECK_KEY` and the others get the name of their role, so that a reader can repeat a call.
 * `more`: further texts to hide, such as keys that differ from a real one by one character.
 */
export function createRedactor(
  profile: Profile,
  more: readonly (readonly [value: string, name: string])[] = [],
): Redact {
  // Created on demand: many checks report nothing.
  let replace: Redact | null = null;
  return (text) => {
    replace ??= replacerWith(profile, more);
    return replace(text).replaceAll(keyInQuery, '$1$$GATECHECK_KEY_OTHER');
  };
}

/**
 * Combines both replacements. Texts that are part of a longer secret of the profile are hidden after it, all others before
 * it.
 */
function replacerWith(profile: Profile, more: readonly (readonly [value: string, name: string])[]): Redact {
  const known = ofProfile(profile);
  if (more.length === 0) return known;
  const values = [...secretsOf(profile)].map(([value]) => value);
  const isPart = ([value]: readonly [string, string]): boolean => values.some((one) => one.includes(value));
  const [first, last] = [replacerOf(more.filter((one) => !isPart(one))), replacerOf(more.filter(isPart))];
  return (text) => last(known(first(text)));
}

/** Kept, because a profile has thousands of secrets, and every check redacts. */
const replacers = new WeakMap<Profile, Redact>();

function ofProfile(profile: Profile): Redact {
  const known = replacers.get(profile) ?? replacerOf([...secretsOf(profile)]);
  replacers.set(profile, known);
  return known;
}

/**
 * The caller's own environment variables by placeholder, if a placeholder stands for one value only: `$GATECHECK_KEY` →
 * `$MY_KEY`.
 */
export function ownVariables(profile: Profile): ReadonlyMap<string, string> {
  const { variables = {} } = profile;
  const named = Map.groupBy(secretsOf(profile), ([, placeholder]) => placeholder);
  return new Map(
    [...named].flatMap(([placeholder, secrets]): [string, string][] => {
      const [name, ...others] = new Set(secrets.map(([value]) => variables[value]));
      return name === undefined || others.length > 0 ? [] : [[placeholder, `$${name}`]];
    }),
  );
}

/** The placeholder for the value of an added header: `$GATECHECK_HEADER_CF_ACCESS_CLIENT_ID`. */
export function headerPlaceholder(name: string): string {
  return `$${headerVariable(name)}`;
}

/** The environment variable from which a generated profile takes the value of a header. */
export function headerVariable(name: string): string {
  return `GATECHECK_HEADER_${name.toUpperCase().replaceAll(/\W/g, '_')}`;
}

/** The shortest form that is replaced; shorter ones are parts of ordinary words. */
const shortest = 6;

/** A part of a text, and what replaces it. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** Replaces each value by its name, in every encoding, longest first. */
export function replacerOf(secrets: readonly (readonly [value: string, name: string])[]): Redact {
  const partsIn = finderOf(secrets);
  return (text) => {
    const parts = partsIn(text);
    for (const view of viewsOf(text))
      for (const { from, to, name } of partsIn(view.text))
        parts.push({ from: view.placeOf(from), to: view.placeOf(to), name });
    return without(text, parts);
  };
}

/** Of parts that overlap, the first is replaced together with the rest of the others. */
function without(text: string, parts: Part[]): string {
  let [replaced, end] = ['', 0];
  for (const { from, to, name } of parts.sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (from >= end) replaced += text.slice(end, from) + name;
    end = Math.max(end, to);
  }
  return replaced + text.slice(end);
}

function finderOf(secrets: readonly (readonly [value: string, name: string])[]): (text: string) => Part[] {
  const forms = new Map<string, string>();
  for (const [value, name] of secrets)
    for (const form of formsOf(value)) if (form.length >= shortest && !forms.has(form)) forms.set(form, name);
  // A regular expression of so many forms takes seconds to compile, so forms are found by their first characters and length.
  const lengths = new Map<string, Set<number>>();
  const starts = new Uint8Array(0x10000);
  for (const form of [...forms.keys()].sort((a, b) => b.length - a.length)) {
    const start = form.slice(0, shortest);
    lengths.set(start, (lengths.get(start) ?? new Set()).add(form.length));
    starts[pairAt(form, 0)] = 1;
  }
  return (text) => {
    const parts: Part[] = [];
    for (let at = 0; at <= text.length - shortest; at += 1) {
      if (starts[pairAt(text, at)] === 0) continue;
      for (const length of lengths.get(text.slice(at, at + shortest)) ?? []) {
        const name = forms.get(text.slice(at, at + length));
        if (name === undefined) continue;
        parts.push({ from: at, to: at + length, name });
        at += length - 1;
        break;
      }
    }
    return parts;
  };
}

/** Escapes of single characters in URLs, JSON and HTML; writers differ in what they escape: PHP `/`, others `+` and `-`. */
const escapes =
  /%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\([/"'\\])|&#(\d{1,7});|&#x([0-9a-f]{1,6});|&(amp|lt|gt|quot|apos);/gi;
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** How often escaped texts are embedded in others: JSON in JSON in a URL. */
const mostLayers = 3;

/** A text without its escapes. */
interface View {
  readonly text: string;
  /** Where the character at an index, or the end, stands in the original text. */
  placeOf(index: number): number;
}

/** The text without one layer of escapes, without two, and so on. */
function* viewsOf(original: string): Generator<View> {
  let view: View = { text: original, placeOf: (index) => index };
  for (let layer = 1; layer <= mostLayers; layer += 1) {
    const next = unescaped(view);
    if (next === null) return;
    view = next;
    yield view;
  }
}

/** Null for a text without escapes. */
function unescaped({ text, placeOf }: View): View | null {
  /** For each escape: the index behind it in the shorter text, and how much shorter that is up to there. */
  const behind: number[] = [];
  const shorter: number[] = [];
  let [plain, from] = ['', 0];
  for (const found of text.matchAll(escapes)) {
    plain += text.slice(from, found.index) + characterOf(found);
    from = found.index + found[0].length;
    behind.push(plain.length);
    shorter.push(from - plain.length);
  }
  if (behind.length === 0) return null;
  const inText = (index: number): number =>
    index + (shorter[countWhile(behind, (end) => end <= index) - 1] ?? 0);
  return { text: plain + text.slice(from), placeOf: (index) => placeOf(inText(index)) };
}

/** Each escape becomes one character, so that places can be told. */
function characterOf([, percent, unicode, byte, plain, decimal, hex, name]: RegExpExecArray): string {
  if (plain !== undefined) return plain;
  if (name !== undefined) return named[name.toLowerCase()] ?? '?';
  const code =
    decimal === undefined ? Number.parseInt(percent ?? unicode ?? byte ?? hex ?? '', 16) : Number(decimal);
  return code <= 0xffff ? String.fromCharCode(code) : '?';
}

/** A hash of the two characters at an index; other pairs may have the same. */
function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1)) & 0xffff;
}

/** The encodings of a value: plain, for URLs and JSON, in hexadecimal, and within base64 of a longer text. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  const percent = hex.replaceAll(/../g, '%$&');
  const lengthened = (['base64', 'base64url'] as const).flatMap((alphabet) =>
    [0, 1, 2].map((before) => withinBase64(bytes, before, alphabet)),
  );
  return [
    ...[value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)],
    ...[hex, hex.toUpperCase(), percent, percent.toUpperCase()],
    ...lengthened,
  ];
}

/** The base64 characters that only these bytes determine, when `before` bytes precede them, modulo three. */
function withinBase64(bytes: Buffer, before: number, alphabet: 'base64' | 'base64url'): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString(alphabet);
  return text.slice(Math.ceil((8 * before) / 6), Math.floor((8 * (before + bytes.length)) / 6));
}

function* secretsOf(profile: Profile): Generator<[string, string]> {
  yield* passwordIn(profile.base_url, '$GATECHECK_BASE_URL_PASSWORD');
  yield* passwordIn(profile.http.proxy, '$GATECHECK_PROXY_PASSWORD');
  for (const keys of [profile.keys, ...profile.tenants.map((tenant) => tenant.keys)]) {
    for (const [role, value] of Object.entries(keys)) {
      if (value !== undefined)
        yield [value, role === 'K1' ? '$GATECHECK_KEY' : `$GATECHECK_KEY_${role.toUpperCase()}`];
    }
  }
  for (const hook of Object.values(profile.hooks))
    if (hook !== undefined && 'token' in hook) yield [hook.token, '$GATECHECK_HOOK_TOKEN'];
  if (profile.admin !== undefined) yield [profile.admin.token, '$GATECHECK_ADMIN_TOKEN'];
  for (const { webhook_secret: secret } of profile.tenants)
    if (secret !== undefined) yield* webhookSecret(secret, '$GATECHECK_WEBHOOK_SECRET');
  const { secret, kit, receiver } = profile.webhooks;
  if (receiver !== undefined && 'control' in receiver && receiver.token !== undefined)
    yield [receiver.token, '$GATECHECK_CONTROL_TOKEN'];
  if (secret !== undefined) yield* webhookSecret(secret, '$GATECHECK_WEBHOOK_SECRET');
  if (kit !== undefined) yield* webhookSecret(kit.secret, '$GATECHECK_WEBHOOK_KIT_SECRET');
  for (const [name, value] of Object.entries(profile.http.headers))
    if (!isPlainWord(name, value, profile)) yield [value, headerPlaceholder(name)];
  for (const one of profile.deviations)
    if (typeof one === 'object')
      for (const [name, value] of Object.entries(one['request-headers'] ?? {}))
        if (!isPlainWord(name, value, profile)) yield [value, headerPlaceholder(name)];
  if (profile.upstream?.token !== undefined) yield [profile.upstream.token, '$GATECHECK_CONTROL_TOKEN'];
  for (const key of profile.upstream?.keys ?? []) yield [key, '$GATECHECK_UPSTREAM_KEY'];
}

/** Matches names of headers whose values are secret, by whole words: `x-api-key`, but not `x-portkey-provider`. */
const secretHeader = /auth|(?:^|[-_])(?:api)?keys?(?:$|[-_])|token|secret|cookie|pass|cred|sign|session/i;

/**
 * Whether a header's value is a plain word, such as a provider's name. Hiding it would hide this word in every text of the
 * deployment. Values from the environment, and values that look random, are secret.
 */
function isPlainWord(name: string, value: string, { variables = {} }: Profile): boolean {
  const isWord = /^[a-z]+(?:[-_ ][a-z]+)*(?:[-_.]?\d{1,3})?$/i.test(value) && value.length <= 16;
  return isWord && !secretHeader.test(name) && !Object.hasOwn(variables, value);
}

/** The password of a URL, as written and decoded, or the user that stands there alone: some services take a token so. */
function* passwordIn(url: string | undefined, name: string): Generator<[string, string]> {
  const { username = '', password = '' } = url === undefined ? {} : (URL.parse(url) ?? {});
  const secret = password === '' ? username : password;
  if (secret === '') return;
  yield [secret, name];
  const decoded = unescaped({ text: secret, placeOf: (index) => index });
  if (decoded !== null) yield [decoded.text, name];
}

/** A webhook secret, also without its prefix, which only names its kind. */
function* webhookSecret(secret: string, name: string): Generator<[string, string]> {
  yield [secret, name];
  const encoded = secret.replace(/^whsec_/, '');
  yield [encoded, name];
  // A deployment may store the decoded key as text.
  const text = Buffer.from(encoded, 'base64').toString('latin1');
  if (/^[\x20-\x7e]{6,}$/.test(text)) yield [text, name];
}
