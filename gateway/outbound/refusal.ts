import { isForbiddenPort } from './forbidden-ports.ts';
import { type HostPort, hostPortOf, hostPortText, mayBePublic } from './host-port.ts';
import type { OutboundKind } from './outbound.ts';
import { namesUser, plainUrl } from './plain-url.ts';

/** Rules for the targets of URLs. */
export interface OutboundRules {
  /** Ports allowed for webhooks. */
  readonly ports: readonly number[];
  /** Hosts with ports (`127.0.0.1:8443`) that are allowed although they are not public. */
  readonly allowed: ReadonlySet<string>;
  /** Whether URLs may point to an address. */
  readonly isOpen: (address: string) => boolean;
}

/** Why a URL may not be used, judged by its text; null when it may. */
export function refusal(
  text: string,
  kind: OutboundKind,
  { ports, allowed, isOpen }: OutboundRules,
): string | null {
  const isEvent = kind === 'webhook';
  const url = plainUrl(text);
  if (url === null || (isEvent && url.protocol !== 'https:')) {
    return isEvent ? 'must be an https URL' : 'must be an http or https URL';
  }
  if (namesUser(text)) return 'must not hold a user name or a password';
  if (isEvent && text.includes('#')) return 'must not have a fragment';
  const place = hostPortOf(url);
  if (allowed.has(hostPortText(place))) return null;
  if (!mayBePublic(place.host, isOpen)) return 'must be a URL that anyone can reach';
  return isEvent ? portRefusal(place, ports) : isForbiddenPort(place.port) ? 'must name another port' : null;
}

function portRefusal({ port }: HostPort, ports: readonly number[]): string | null {
  if (ports.includes(port)) return null;
  return ports.length === 0
    ? 'must lead to a host that is let through'
    : `must name port ${ports.join(' or ')}`;
}
