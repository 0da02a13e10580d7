/**
 * The protocol between the webhook receiver and its clients: JSON over loopback HTTP. Times are Unix
 * milliseconds by the real clock.
 */

/**
 * How one request is answered. Each request of an inbox takes the next answer of its plan; the last one
 * repeats.
 */
export type Answer =
  /** A status, at once or after a delay in real time. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly after_ms?: number;
      /** How the answer ends after the first bytes of its body: the connection is cut, or nothing more comes. */
      readonly ends?: 'cut' | 'never';
    }
  /** No answer until the inbox is released, then a status: 200 by default. */
  | { readonly hold: true; readonly status?: number }
  /** A redirect to another URL: 302 by default. */
  | { readonly redirect: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** The connection is closed without an answer. */
  | { readonly reset: true };

/** The path segment for URLs whose events are not read: requests below it get 200 and are not recorded. */
export const unreadScope = 'unread';

/**
 * Where a request arrived.
 * - `https`: at the receiver, where events belong
 * - `canary-https`, `canary-http`: at a listener to which no gateway may connect, with and without TLS
 * - `untrusted`: at a listener with an untrusted certificate, so that no gateway may send a request
 */
export const arrivals = ['https', 'canary-https', 'canary-http', 'untrusted'] as const;
export type Arrival = (typeof arrivals)[number];

/** How a request has been answered so far. */
export type Answered =
  | { readonly kind: 'open' | 'held' | 'reset' | 'left' }
  | { readonly kind: 'status'; readonly status: number; readonly at_ms: number };

/** A request as it arrived at an inbox. */
export interface ReceivedRequest {
  /** The number within the inbox, from 1, in the order in which the heads arrived. */
  readonly n: number;
  readonly via: Arrival;
  /** When its head had arrived, and when the whole request had arrived. */
  readonly began_ms: number;
  readonly at_ms: number;
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  /** In order of arrival, with names in the sender's case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body_base64: string;
  /** Whether the body was longer than the kept part, or did not arrive completely. */
  readonly cut: boolean;
  readonly answered: Answered;
}

/** The one line that the process prints once it accepts requests. */
export interface ReceiverReady {
  /** The URL that deployments use, without a slash at the end; inboxes are below it. */
  readonly url: string;
  /** An unguarded listener at an address to which no deployment may connect. It speaks HTTP and TLS. */
  readonly canary_url: string;
  /** A listener like the receiver on this machine, with a certificate of an unknown authority. */
  readonly untrusted_url: string;
  readonly control_url: string;
  /** Paths of PEM files: the certificate of the authority, the certificate itself and its key (mode 0600). */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface HealthAnswer {
  readonly ok: true;
  readonly url: string;
  readonly canary_url: string;
  readonly untrusted_url: string;
  /**
   * The certificate that verifies the receiver's, as PEM.
   * Null when every client trusts it already, or when a proxy speaks TLS.
   */
  readonly ca_pem: string | null;
}

/** The answers to the requests of an inbox, from the next one on. */
export interface PlanRequest {
  readonly answers: readonly Answer[];
}

export interface EventsAnswer {
  /** Whether the requested number of requests arrived in time. */
  readonly satisfied: boolean;
  readonly events: readonly ReceivedRequest[];
}

/** The open inboxes, and the number of requests to each. */
export interface InboxesAnswer {
  readonly inboxes: readonly { readonly scope: string; readonly count: number }[];
}

export interface ReleaseAnswer {
  /** The number of held requests that are answered now. */
  readonly released: number;
}

/** What the canary saw besides requests to inboxes. */
export interface ConnectionsAnswer {
  /** Connections since the start, whatever was sent over them. */
  readonly canary: number;
}
