import { addressIn } from './address.ts';
import { addressesIn } from './allow-list.ts';

/**
 * Tells the address of a caller from that of the TCP peer and the header `X-Forwarded-For`; the empty text when nobody knows
 * it, which lies in no range.
 */
export type CallerAddress = (peer: string, forwardedFor: string | undefined) => string;

/**
 * The peer itself, unless it is one of the proxies that the configuration trusts (B-100): such a one writes whom it
 * speaks for at the end of the header. Hops that are trusted, too, are passed over from there; what stands before the
 * first that is not was written by strangers. An entry that is no plain address (a name, one with a port) is not believed,
 * and no other address is put in its place: the caller's is not known. Other headers are never read.
 */
export function callerAddress(trustedProxies: readonly string[]): CallerAddress {
  const isTrusted = addressesIn(trustedProxies);
  return (peer, forwardedFor) => {
    let address = peer;
    const hops = forwardedFor?.split(',') ?? [];
    while (isTrusted(address)) {
      const hop = hops.pop();
      // A request that begins at a proxy is the proxy's own.
      if (hop === undefined) return address;
      address = addressIn(hop.trim())?.text ?? '';
    }
    return address;
  };
}
