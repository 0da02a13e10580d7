import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIP } from 'node:net';

const own = new BlockList();
own.addSubnet('127.0.0.0', 8);
own.addAddress('::1', 'ipv6');

/**
 * Answers 403 to browser requests from foreign pages, and returns whether it did. Our services on loopback need no token. A
 * foreign page can reach them through a DNS name that points here, or with requests that need no preflight.
 */
export function refuseForeign({ headers }: IncomingMessage, response: ServerResponse): boolean {
  const reason = reasonAgainst(headers);
  if (reason === null) return false;
  // Do not wait for the body.
  response.writeHead(403, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ message: reason }));
  return true;
}

function reasonAgainst({ host, origin, 'sec-fetch-site': site }: IncomingMessage['headers']): string | null {
  if (host !== undefined && !isOwn(`http://${host}/`))
    return `the Host ${JSON.stringify(host.slice(0, 100))} is not this machine's own: say 127.0.0.1 or localhost`;
  if (site === 'cross-site' || (origin !== undefined && !isOwn(`${origin}/`)))
    return 'web pages from elsewhere may not call this: use a client outside a browser, or a page of localhost';
  return null;
}

function isOwn(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.pathname !== '/')
    return false;
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const version = isIP(name);
  if (version !== 0) return own.check(name, version === 6 ? 'ipv6' : 'ipv4');
  return name === 'localhost' || name.endsWith('.localhost');
}
