import { isIP } from 'node:net';
import { z } from 'zod';
import { cidr } from './fields.ts';

const port = z
  .int('must be a port number')
  .min(1, 'must be a port number')
  .max(65_535, 'must be a port number');

/** Allowed targets of URLs that callers or upstreams send. */
export const outbound = z.strictObject({
  ports: z.array(port, 'must be a list of port numbers').default([443, 8443]),
  // Networks with public addresses that URLs must not lead to, such as the machine's own.
  own_networks: z.array(cidr, 'must be a list of address ranges').default([]),
});

/**
 * Targets that URLs may lead to although they are not public: each a host and port as in URLs, such as
 * `127.0.0.1:8443`.
 */
export const allowedHosts = z.array(
  z
    .string('must be a text')
    .refine(isHostAndPort, 'must be a host and a port as a URL writes them, such as 127.0.0.1:8443'),
  'must be a list of hosts with ports',
);

const addresses = z.array(
  z.string('must be an address').refine((text) => isIP(text) !== 0, 'must be an IP address'),
  'must be a list of addresses',
);

/**
 * Scripted answers that replace the real resolver. For each name: the addresses for the first lookup, then for the second,
 * and so on. The last list repeats. Other names do not resolve.
 */
export const resolverAnswers = z.record(
  z.string(),
  z.array(addresses, 'must be a list of lists of addresses').min(1, 'must answer at least once'),
  'must map names to lists of lists of addresses',
);

function isHostAndPort(text: string): boolean {
  const url = URL.parse(`https://${text}/`);
  return (
    url !== null && /^[a-z0-9_.:[\]-]+:\d{1,5}$/.test(text) && `${url.hostname}:${url.port || '443'}` === text
  );
}
