import { declaredUrl } from '../profile/declared-url.ts';
import type { Profile } from '../profile/profile.ts';
import type { SentRequest } from './exchange.ts';
import { ownVariables, type Redact } from './redactor.ts';

/** The longest body that fits a command line, bytes. */
const bodyLimit = 8_192;

/** What the reader's own `curl` needs to reach the deployment as the suites do. */
export interface CurlWay {
  /** The reader's environment variables for the secrets, by placeholder. */
  readonly variables: ReadonlyMap<string, string>;
  /** Only requests to this origin need the options. */
  readonly origin: string;
  readonly options: readonly string[];
}

/** How to reach a profile's deployment: certificates and proxy, without the proxy's password. */
export function curlWay(profile: Profile): CurlWay {
  const known = ways.get(profile) ?? wayOf(profile);
  ways.set(profile, known);
  return known;
}

/** Kept, because a profile has thousands of secrets, and every check has a result. */
const ways = new WeakMap<Profile, CurlWay>();

function wayOf(profile: Profile): CurlWay {
  const { tls, http } = profile;
  const options: [string, string | undefined][] = [
    ['--cacert', tls.ca],
    ['--cert', tls.cert],
    ['--key', tls.key],
    ['--proxy', http.proxy === undefined ? undefined : new URL(http.proxy).origin],
  ];
  return {
    variables: ownVariables(profile),
    origin: new URL(declaredUrl(profile)).origin,
    options: options.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${quote(value)}`])),
  };
}

const straight: CurlWay = { variables: new Map(), origin: '', options: [] };

/** A `curl` command that repeats the request, quoted for a POSIX shell. Keys are variables that the shell expands. */
export function toCurl(request: SentRequest, redact: Redact, way: CurlWay = straight): string {
  const { body, headers, method, url } = request;
  const gzip = headers.some(([name, value]) => /^accept-encoding$/i.test(name) && value !== 'identity');
  // `-H` alone would print a compressed answer undecoded.
  const flags = gzip ? 'curl -sS -i --compressed' : 'curl -sS -i';
  const options = URL.canParse(url) && new URL(url).origin === way.origin ? way.options : [];
  const parts = [flags, ...options, `-X ${method}`, quote(redact(url))];
  for (const [name, value] of headers) parts.push(`-H ${quote(redact(`${name}: ${value}`))}`);
  if (request.isChunked) parts.push("-H 'transfer-encoding: chunked'");
  let piped = '';
  if (body.length > bodyLimit)
    parts.push(`--data-binary @body.json  # ${body.length} bytes, see the exchange`);
  else if (!isShellText(body)) {
    piped = `printf '${printfText(redact(body.toString('latin1')))}' | `;
    parts.push('--data-binary @-');
  } else if (body.length > 0) parts.push(`--data-binary ${quote(redact(body.toString('utf8')))}`);
  return (piped + parts.join(' ')).replaceAll(/\$\{?GATECHECK_\w+\}?/g, (placeholder) => {
    const own = way.variables.get(placeholder.replaceAll(/[{}]/g, ''));
    if (own === undefined) return placeholder;
    return placeholder.startsWith('${') ? `\${${own.slice(1)}}` : own;
  });
}

/**
 * Single quotes keep everything literal. Only a text with a placeholder gets double quotes, so that the shell
 * expands it.
 */
function quote(text: string): string {
  if (!/\$\{?GATECHECK_/.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text
    .replaceAll(/[\\"`]/g, String.raw`\$&`)
    .replaceAll(/\$(?!\{?GATECHECK_)/g, String.raw`\$`);
  return `"${escaped}"`;
}

/** Bytes as text (latin1) in the syntax of `printf`: every byte that is not a plain character is an octal escape. */
export function printfText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|[%\\']/g, (letter) => {
    if (letter === '\r') return '\\r';
    if (letter === '\n') return '\\n';
    if (letter === '%') return '%%';
    return `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
}

/** Whether a command line can contain these bytes: UTF-8 without a zero byte. */
export function isShellText(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString('utf8')).equals(bytes) && !bytes.includes(0);
}

/** A part of a path with escapes decoded; unchanged when they are invalid. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
