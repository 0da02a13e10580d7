import { addressIn } from './address.ts';
import { addressesIn } from './allow-list.ts';

/**
 * Determines the caller's address from the TCP peer and the header `X-Forwarded-For`. An empty text means unknown,
 * and is in no range.
 */
export type CallerAddress = (peer: string, forwardedFor: string | undefined) => string;

/**
 * The peer is the caller, unless it is a proxy that the configuration trusts (B-100). A trusted proxy appends its
 * caller to the header. So the header is read from its end, trusted hops are skipped, and the first other hop is
 * the caller. What stands before it may be forged. If that entry is not a plain address (a name, or an address
 * with a port), the caller is unknown. Other headers are never read.
 */
export function callerAddress(trustedProxies: readonly string[]): CallerAddress {
  const isTrusted = addressesIn(trustedProxies);
  return (peer, forwardedFor) => {
    let address = addressIn(peer)?.text ?? '';
    if (forwardedFor === undefined) return address;
    const hops = forwardedFor.split(',');
    while (isTrusted(address)) {
      const hop = hops.pop();
      // A request without an untrusted hop comes from the proxy itself.
      if (hop === undefined) return address;
      address = addressIn(hop.trim())?.text ?? '';
    }
    return address;
  };
}
