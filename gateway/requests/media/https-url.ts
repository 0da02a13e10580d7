import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

/** Longest URL that a field takes: above any in use. */
const MOST_LENGTH = 8192;

/** Networks that are nobody's business: nothing there can be reached publicly (B-54). */
const PRIVATE = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(address, bits, 'ipv6');

/** A schema of https URLs. Only those of gateways that are tested may lead to a private address. */
export type UrlSchema = z.ZodType<string>;

export function httpsUrl({ takesPrivate }: { readonly takesPrivate: boolean }): UrlSchema {
  const url = z
    .string('must be a string')
    .refine(isHttpsUrl, 'must be an https URL')
    .meta({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://', maxLength: MOST_LENGTH });
  return takesPrivate ? url : url.refine((text) => !isPrivate(text), 'must be a URL that anyone can reach');
}

function isHttpsUrl(text: string): boolean {
  if (text.length > MOST_LENGTH || !/^https:\/\/[^\s/?#]/i.test(text) || /\s/.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
}

/** Whether the host of a URL is plainly a private one; what a name stands for is looked up by whoever connects. */
function isPrivate(text: string): boolean {
  const host = (URL.parse(text)?.hostname ?? '').replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || host.endsWith('.localhost');
  return PRIVATE.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
