/** Why secrets cannot be used; the message does not show them. */
export class BadSecret extends Error {}

const prefix = 'whsec_';
/** Bytes. Shorter keys can be guessed. */
const fewestBytes = 16;

/** The keys in a text of secrets, separated by blanks, each `whsec_` and base64. None when the text is blank. */
export function readSecrets(text: string): Uint8Array[] {
  return text
    .split(/\s+/)
    .filter((secret) => secret !== '')
    .map(keyOf);
}

function keyOf(secret: string, at: number): Uint8Array {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : null;
  if (encoded === null || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || encoded.length % 4 !== 0)
    throw new BadSecret(`secret ${at + 1} is not ${prefix} and base64`);
  const key = Buffer.from(encoded, 'base64');
  if (key.length < fewestBytes)
    throw new BadSecret(`secret ${at + 1} has ${key.length} bytes; at least ${fewestBytes} are needed`);
  return key;
}
