import { setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Profile } from '../profile/profile.ts';
import { LargeBodies, largestBytes } from './body-bounds.ts';
import { dispatcherFor, withDeploymentHeaders } from './deployment-connection.ts';
import type { Exchange, SentRequest } from './exchange.ts';
import { type LiveExchange, openExchange } from './live-exchange.ts';
import { type Pace, paceOf } from './pace.ts';
import { type Words, wordsOf } from './words.ts';

export interface WireRequest {
  readonly method: string;
  /** Appended to the base URL as text. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON; a string or bytes are sent unchanged. */
  readonly body?: unknown;
  readonly label?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** How long its sender has waited for the clock, ms; the timeout does not count this. */
  readonly waitedMs?: () => number;
  /** The longest body of an answer that is read, bytes. */
  readonly maxBytes?: number;
  /** The size of the chunks in which the body is sent; as a whole, with its length, by default. */
  readonly chunkBytes?: number;
}

/**
 * The suites' own HTTP client for one deployment. It keeps every exchange completely and follows no redirect.
 */
export interface WireClient {
  /** Keeps its calls to the deployment below a limit by time; null without one. */
  readonly pace: Pace | null;
  send(request: WireRequest): Promise<Exchange>;
  open(request: WireRequest): LiveExchange;
  /** Reads a URL of any origin, or of the origin that the profile maps it to, without anything that identifies the caller. */
  fetch(url: string, options: Pick<WireRequest, 'label' | 'signal' | 'timeoutMs'>): LiveExchange;
  /** Sends to a URL of any origin, as a deployment sends its events. */
  openAt(url: string, request: Omit<WireRequest, 'path'>): LiveExchange;
  close(): Promise<void>;
}

/** @param learns whether it keeps below a limit of calls by time that its refusals tell, and the profile does not */
export function createWireClient(
  profile: Profile,
  { learns = false }: { readonly learns?: boolean } = {},
): WireClient {
  const base = profile.base_url.replace(/\/+$/, '');
  const deployment = dispatcherFor(profile);
  // Our own events go to receivers, not through the deployment's proxy.
  const receivers = dispatcherFor({ tls: profile.tls, http: { ...profile.http, proxy: undefined } });
  // Without pipelining each call has a connection of its own.
  const unused = dispatcherFor(profile, { pipelining: 0 });
  const large = new LargeBodies();
  const time = {
    now: () => performance.now(),
    wait: (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }),
  };
  const pace = paceOf(profile, time, learns);
  const exchange = (
    dispatcher: Dispatcher,
    sent: SentRequest,
    options: Pick<WireRequest, 'label' | 'signal' | 'timeoutMs' | 'waitedMs' | 'maxBytes' | 'chunkBytes'>,
    // Links of results, and events to receivers, are no calls of a key.
    own: { readonly words?: Words | undefined; readonly pace?: Pace | null } = {},
  ): LiveExchange =>
    openExchange(dispatcher, sent, {
      label: options.label ?? 'request',
      signal: options.signal ?? new AbortController().signal,
      timeoutMs: options.timeoutMs ?? profile.timeouts.answer_ms,
      waitedMs: options.waitedMs,
      ...{ large, chunkBytes: options.chunkBytes, ...own },
      ...(dispatcher === deployment && { unused }),
      ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
    });
  const open = (request: WireRequest): LiveExchange => {
    const sent = toSent(base, request);
    const own = { ...sent, headers: withDeploymentHeaders(sent.headers, profile) };
    return exchange(deployment, own, request, { words: wordsOf(profile, own), pace });
  };
  return {
    pace,
    open,
    send: (request) => open(request).done,
    fetch: (url, options) =>
      exchange(
        deployment,
        { method: 'GET', url: reached(url, profile), headers: [], body: Buffer.alloc(0) },
        { label: 'fetch', maxBytes: largestBytes, ...options },
      ),
    openAt: (url, request) => exchange(receivers, toSent(url, { ...request, path: '' }), request),
    close: async () => {
      await Promise.all([deployment, unused, receivers].map((one) => one.destroy()));
    },
  };
}

/** A link in an answer, with the origin that this machine can reach. */
function reached(url: string, { media: { origins } }: Profile): string {
  const link = URL.parse(url);
  const origin = link === null ? undefined : origins[link.origin];
  return link === null || origin === undefined ? url : origin + link.pathname + link.search;
}

function toSent(base: string, request: WireRequest): SentRequest {
  const headers = Object.entries(request.headers ?? {});
  if (request.body === undefined)
    return { method: request.method, url: base + request.path, headers, body: Buffer.alloc(0) };
  const raw = typeof request.body === 'string' || Buffer.isBuffer(request.body);
  const body = raw ? Buffer.from(request.body as string) : Buffer.from(JSON.stringify(request.body));
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type'))
    headers.push(['content-type', 'application/json']);
  return { method: request.method, url: base + request.path, headers, body };
}
