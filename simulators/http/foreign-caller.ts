import type { IncomingHttpHeaders } from 'node:http';

/** Names and addresses that always resolve to this machine, also in a browser. */
const loopback = /^(?:localhost|[a-z0-9.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Why a call of a loopback service is rejected as coming from a foreign web page, in one sentence. Null for any other caller.
 * Such a page uses a host name that resolves to loopback (`Host`), or sends requests that need no permission (`Origin`).
 */
export function foreignCaller(headers: IncomingHttpHeaders): string | null {
  const { host, origin, 'sec-fetch-site': site } = headers;
  const mend = 'call this address as 127.0.0.1 or localhost; a proxy in front of it has to send such a Host';
  if (host !== undefined && !isLoopback(`http://${host}`))
    return `the Host "${shown(host)}" is foreign: ${mend}`;
  if (origin !== undefined && !(isLoopback(origin) && isSame(origin, host)))
    return `pages of "${shown(origin)}" may not call this: use a client outside a browser`;
  // A page at another port of this machine is of the same site.
  if (site === 'cross-site' || site === 'same-site')
    return 'pages of other sites may not call this: use a client outside a browser';
  return null;
}

function isSame(origin: string, host = ''): boolean {
  return (
    URL.parse(origin)?.host === URL.parse(`${origin.startsWith('https:') ? 'https' : 'http'}://${host}`)?.host
  );
}

function isLoopback(url: string): boolean {
  // Rejects user names: `http://evil@127.0.0.1` would count as 127.0.0.1.
  if (!/^https?:\/\/[^/?#@\\\s]+$/i.test(url)) return false;
  return loopback.test(URL.parse(url)?.hostname.replace(/\.$/, '') ?? '');
}

function shown(text: string): string {
  return text.slice(0, 100);
}
