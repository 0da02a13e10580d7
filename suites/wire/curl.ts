import type { SentRequest } from './exchange.ts';
import type { Redact } from './redactor.ts';

/** Longer bodies do not fit a command line that anybody would paste, bytes. */
const bodyLimit = 8_192;

/**
 * A `curl` command that repeats the request, quoted for a POSIX shell. Keys are variables that the shell expands.
 * @param variables what the reader's own environment calls them, by their placeholders
 */
export function toCurl(
  request: SentRequest,
  redact: Redact,
  variables: ReadonlyMap<string, string> = new Map(),
): string {
  const gzip = request.headers.some(
    ([name, value]) => /^accept-encoding$/i.test(name) && value !== 'identity',
  );
  // `-H` alone would print a compressed answer undecoded.
  const flags = gzip ? 'curl -sS -i --compressed' : 'curl -sS -i';
  const parts = [flags, `-X ${request.method}`, quote(redact(request.url))];
  for (const [name, value] of request.headers) parts.push(`-H ${quote(redact(`${name}: ${value}`))}`);
  if (request.body.length > bodyLimit)
    parts.push(`--data-binary @body.json  # ${request.body.length} bytes, see the exchange`);
  else if (request.body.length > 0)
    parts.push(`--data-binary ${quote(redact(request.body.toString('utf8')))}`);
  return parts
    .join(' ')
    .replaceAll(/\$GATECHECK_\w+/g, (placeholder) => variables.get(placeholder) ?? placeholder);
}

/**
 * Single quotes keep everything literal. Only a text with a placeholder gets double quotes, so that the shell
 * expands it.
 */
function quote(text: string): string {
  if (!text.includes('$GATECHECK_')) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text.replaceAll(/[\\"`]/g, String.raw`\$&`).replaceAll(/\$(?!GATECHECK_)/g, String.raw`\$`);
  return `"${escaped}"`;
}
