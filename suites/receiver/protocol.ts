/** What the webhook receiver of the suites and those who control it say to each other: JSON over loopback HTTP. Times are Unix milliseconds by the real clock. */

/** How one request is answered. Each request of an inbox takes the next one of its plan; the last one repeats. */
export type Answer =
  /** A status, at once or after a while of real time. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly after_ms?: number;
    }
  /** Nothing until the inbox is released, then a status: 200 unless another one is named. */
  | { readonly hold: true; readonly status?: number }
  /** To another place: 302 unless another status is named. */
  | { readonly redirect: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** The connection is broken off. */
  | { readonly reset: true };

/** Requests below this segment of a path are answered 200 and not kept: for URLs whose events nobody wants to see. */
export const unreadScope = 'unread';

/**
 * Where a request arrived.
 * - `https`: at the receiver, where events belong
 * - `canary-https`, `canary-http`: at a listener to which no gateway may connect, with TLS and without
 * - `untrusted`: at a listener whose certificate nobody vouches for, so that no gateway may go on
 */
export const arrivals = ['https', 'canary-https', 'canary-http', 'untrusted'] as const;
export type Arrival = (typeof arrivals)[number];

/** How a request was answered by now. */
export type Answered =
  | { readonly kind: 'open' | 'held' | 'reset' | 'left' }
  | { readonly kind: 'status'; readonly status: number; readonly at_ms: number };

/** A request as it arrived at an inbox. */
export interface ReceivedRequest {
  /** Counted from 1 within the inbox, in order of arrival of the heads. */
  readonly n: number;
  readonly via: Arrival;
  /** When its head was there, and when all of it was. */
  readonly began_ms: number;
  readonly at_ms: number;
  readonly method: string;
  /** Path and query as they stand in the request. */
  readonly target: string;
  /** In order of arrival, names in the case of the sender. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body_base64: string;
  /** The body was longer than is kept, or did not arrive whole. */
  readonly cut: boolean;
  readonly answered: Answered;
}

/** The one line that the process prints once it takes requests. */
export interface ReceiverReady {
  /** How a deployment reaches it, without a slash at the end: inboxes are below. */
  readonly url: string;
  /** A listener without guard of its own, at an address that no deployment may be led to. It speaks HTTP and TLS. */
  readonly canary_url: string;
  /** A listener like the receiver, on this machine, with a certificate of a stranger. */
  readonly untrusted_url: string;
  readonly control_url: string;
  /** Paths of PEM files: what vouches for the certificate, the certificate itself and its key (mode 0600). */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface HealthAnswer {
  readonly ok: true;
  readonly url: string;
  readonly canary_url: string;
  readonly untrusted_url: string;
  /** What vouches for its certificate, as PEM; null where everybody trusts it already or somebody else speaks TLS. */
  readonly ca_pem: string | null;
}

/** Answers to the requests of an inbox from the next one on. */
export interface PlanRequest {
  readonly answers: readonly Answer[];
}

export interface EventsAnswer {
  /** Whether there were as many as were asked for before time was up. */
  readonly satisfied: boolean;
  readonly events: readonly ReceivedRequest[];
}

export interface ReleaseAnswer {
  /** Requests that were held and are answered now. */
  readonly released: number;
}

/** What was seen at the canary beside requests to inboxes. */
export interface ConnectionsAnswer {
  /** Connections since the start, whatever came over them. */
  readonly canary: number;
}
