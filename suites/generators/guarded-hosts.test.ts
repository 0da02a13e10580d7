import ipaddr from 'ipaddr.js';
import { expect, it } from 'vitest';
import { doubtfulUrls, harmlessHosts, neighbourHosts, privateHosts } from './guarded-hosts.ts';

/** The host of a URL as parsers normalise it, without brackets and the final dot. */
function hostOf(host: string): string {
  return new URL(`https://${host}:8443/x`).hostname.replace(/^\[|\]$|\.$/g, '');
}

it('lists no public address among private hosts', () => {
  for (const host of privateHosts) {
    const plain = hostOf(host);
    // The IPv4-compatible form of IPv6, which is no longer routed.
    if (plain === '::7f00:1') continue;
    const range = ipaddr.isValid(plain) ? ipaddr.process(plain).range() : plain.replace(/^.*\./, '');
    expect(range, host).not.toBe('unicast');
    if (!ipaddr.isValid(plain)) expect(range, host).toBe('localhost');
  }
  expect(new Set(privateHosts).size).toBe(privateHosts.length);
  expect(privateHosts.length).toBeGreaterThanOrEqual(31);
});

it('lists at least thirty public hosts', () => {
  for (const host of [...harmlessHosts, ...neighbourHosts]) {
    const plain = hostOf(host);
    if (ipaddr.isValid(plain)) expect(ipaddr.process(plain).range(), host).toBe('unicast');
    else expect(plain, host).toMatch(/\.[a-z]+$/);
  }
  expect(harmlessHosts.length + neighbourHosts.length).toBeGreaterThanOrEqual(30);
});

it('lists URLs that a strict parser rejects and a lenient one resolves to a private host', () => {
  for (const url of doubtfulUrls) {
    expect(url, 'strict').not.toMatch(/^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])\/[\w.]+$/i);
    const mended = url.replaceAll(/\s/g, '').replaceAll('\\', '/').replace(/%\w+/, '');
    expect(ipaddr.process(hostOf(new URL(mended).host)).range(), url).not.toBe('unicast');
  }
});
