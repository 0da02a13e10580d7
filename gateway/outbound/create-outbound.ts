import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { type Dial, guardedConnector } from './guarded-connector.ts';
import type { Outbound } from './outbound.ts';
import { publicOutside } from './public-address.ts';
import { refusal } from './refusal.ts';
import type { Resolve } from './resolve.ts';

export interface OutboundDeps {
  /** Ports allowed for webhooks. */
  readonly ports: readonly number[];
  /** Hosts with ports that are always allowed, as in URLs (`127.0.0.1:8443`): for tests. */
  readonly allowedHosts: readonly string[];
  /** The operator's own public networks (CIDR ranges), which URLs must not point to. */
  readonly ownNetworks?: readonly string[] | undefined;
  readonly resolve: Resolve;
  /** CA certificates (PEM) to trust in addition to the usual ones. */
  readonly ca?: string | undefined;
  /** Makes the connections; only tests replace it. */
  readonly dial?: Dial | undefined;
}

/** Makes the outbound connector for hosts that callers and upstreams name. */
export function createOutbound(deps: OutboundDeps): Outbound {
  const { ports, allowedHosts, ownNetworks = [], resolve, ca, dial = dialTrusting(ca) } = deps;
  const isOpen = publicOutside(ownNetworks);
  const allowed: ReadonlySet<string> = new Set(allowedHosts);
  return {
    refuse: (url, kind) => refusal(url, kind, { ports, allowed, isOpen }),
    connect: guardedConnector({ allowed, isOpen, resolve, dial }),
  };
}

function dialTrusting(ca: string | undefined): Dial {
  const trust = {
    // Ignores NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ...(ca !== undefined && { secureContext: contextWith(ca) }),
  };
  return (lookup) =>
    buildConnector({
      lookup,
      timeout: 0,
      allowH2: false,
      // Time for each address but the last: the usual quarter of a second is too short for distant hosts.
      autoSelectFamilyAttemptTimeout: 2_000,
      ...trust,
    });
}

/** Call once only: reading all certificates takes longer than a handshake. */
function contextWith(ca: string): SecureContext {
  return createSecureContext({ ca: [...getCACertificates('default'), ca] });
}
