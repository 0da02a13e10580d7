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
      /** What becomes of the answer's body behind its first bytes: the connection is cut, or nothing more comes. */
      readonly ends?: 'cut' | 'never';
    }
  /** No answer until the inbox is released, then a status: 200 by default. */
  | { readonly hold: true; readonly status?: number }
  /** A redirect to another URL: 302 by default. */
  | { readonly redirect: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** The connection is closed without an answer. */
  | { readonly reset: true };

/** Requests below this path segment are answered 200 and not recorded: for URLs whose events are not read. */
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
  /** Counted from 1 within the inbox, in the order in which the heads arrived. */
  readonly n: number;
  readonly via: Arrival;
  /** When its head had arrived, and when all of it had. */
  readonly began_ms: number;
  readonly at_ms: number;
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  /** In order of arrival, with names in the case of the sender. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body_base64: string;
  /** The body was longer than what is kept, or did not arrive completely. */
  readonly cut: boolean;
  readonly answered: Answered;
}

/** The one line that the process prints once it accepts requests. */
export interface ReceiverReady {
  /** How a deployment reaches it, without a slash at the end; inboxes are below it. */
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
  /** Whether as many requests as asked for arrived in time. */
  readonly satisfied: boolean;
  readonly events: readonly ReceivedRequest[];
}

/** The inboxes that are open, and how many requests each has seen. */
export interface InboxesAnswer {
  readonly inboxes: readonly { readonly scope: string; readonly count: number }[];
}

export interface ReleaseAnswer {
  /** How many requests were held and are answered now. */
  readonly released: number;
}

/** What the canary saw besides requests to inboxes. */
export interface ConnectionsAnswer {
  /** Connections since the start, whatever was sent over them. */
  readonly canary: number;
}
