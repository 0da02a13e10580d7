import type { Translation } from '../profile/translation.ts';
import type { ReceiverControl } from '../receiver/client.ts';
import type { Answer, ReceivedRequest } from '../receiver/protocol.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { ReceivedEvent } from '../wire/received-event.ts';

export interface InboxParts {
  /** The path prefix of its URLs, at the receiver and at the canary. */
  readonly scope: string;
  readonly baseUrl: string;
  readonly canaryUrl: string;
  /** Null if the deployment refuses to connect to it, with any certificate. */
  readonly untrustedUrl: string | null;
  readonly control: ReceiverControl;
  readonly signal: AbortSignal;
  /** How long an event may take to arrive, ms. */
  readonly withinMs: number;
  /** The deployment's time at a time of ours, as a range. */
  readonly deploymentTimeAt: (realMs: number) => { readonly min: number; readonly max: number };
  /** For a deployment with a dialect: converts its events to the specified form. */
  readonly translate?: Translation['event'];
}

/**
 * A private place at the receiver. Its URL is given to one request only, so every event in it belongs to that
 * request.
 */
export class Inbox {
  readonly #parts: InboxParts;
  readonly #known = new Map<number, ReceivedEvent>();

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  /** A webhook_url that leads to this inbox. `tail` is appended: a path or a query. */
  url(tail = ''): string {
    return `${this.#parts.baseUrl}/${this.#parts.scope}${tail}`;
  }

  /** The same inbox at the canary, to which no gateway may connect: by http or https, and by another host name if given. */
  canaryUrl(scheme: 'http' | 'https' = 'https', host?: string): string {
    const url = new URL(this.#parts.canaryUrl);
    return `${scheme}://${host ?? url.hostname}:${url.port}/${this.#parts.scope}`;
  }

  /**
   * The same inbox behind an untrusted certificate: a gateway may connect but must not send anything. Null where
   * it may not even connect.
   */
  untrustedUrl(tail = ''): string | null {
    const { untrustedUrl, scope } = this.#parts;
    return untrustedUrl === null ? null : `${untrustedUrl}/${scope}${tail}`;
  }

  /** Sets how the following requests are answered, in order; the last answer repeats. */
  async plan(...answers: Answer[]): Promise<void> {
    await this.#parts.control.plan(this.#parts.scope, answers, { signal: this.#parts.signal });
  }

  /** Answers the requests that are held, and returns their number. */
  async release(): Promise<number> {
    return this.#parts.control.release(this.#parts.scope, { signal: this.#parts.signal });
  }

  /** The events so far, oldest first. It waits until there are `count` of them or the time is up. */
  async events(count = 1, withinMs: number = this.#parts.withinMs): Promise<ReceivedEvent[]> {
    const until = performance.now() + withinMs;
    // The receiver also counts requests at the canary, which are not events, so they are subtracted.
    for (let beside = 0; ; ) {
      const waitMs = Math.max(0, until - performance.now());
      const all = await this.#read({ count: count + beside, waitMs });
      const events = all.filter(({ via }) => via === 'https');
      if (events.length >= count || performance.now() >= until) return events;
      beside = all.length - events.length;
    }
  }

  /** The events that have arrived by now. */
  async eventsNow(): Promise<ReceivedEvent[]> {
    return this.events(0, 0);
  }

  /** Requests where none may arrive: at the canary, or behind the untrusted certificate. */
  async misdirected(): Promise<ReceivedEvent[]> {
    return (await this.#read({})).filter(({ via }) => via !== 'https');
  }

  /** The same, also after the check is over. */
  async eventsAfter(signal: AbortSignal): Promise<ReceivedEvent[]> {
    return (await this.everything(signal)).map((one) => this.#keep(one)).filter(({ via }) => via === 'https');
  }

  /** Everything that has arrived by now, for a report, also after the check is over. */
  async everything(signal: AbortSignal): Promise<readonly ReceivedRequest[]> {
    return (await this.#parts.control.events(this.#parts.scope, {}, { signal })).events;
  }

  /** Closes the inbox. Held and late requests are answered, so that no later check meets them. */
  async close(): Promise<void> {
    await this.#parts.control.closeInbox(this.#parts.scope);
  }

  async #read(query: { count?: number; waitMs?: number }): Promise<ReceivedEvent[]> {
    const { control, scope, signal } = this.#parts;
    const { events } = await control.events(scope, query, { signal });
    return events.map((request) => this.#keep(request));
  }

  /** The answer to a request may have changed since the last poll; its arrival time has not. */
  #keep(request: ReceivedRequest): ReceivedEvent {
    const known = this.#known.get(request.n);
    const receivedMs = known?.receivedMs ?? this.#parts.deploymentTimeAt(request.at_ms);
    const event = eventOf(request, receivedMs, this.#parts);
    this.#known.set(request.n, event);
    return event;
  }
}

function eventOf(
  request: ReceivedRequest,
  receivedMs: ReceivedEvent['receivedMs'],
  { baseUrl, canaryUrl, untrustedUrl, translate }: InboxParts,
): ReceivedEvent {
  const { n, via, method, target, answered } = request;
  const sent = { headers: request.headers, body: Buffer.from(request.body_base64, 'base64') };
  const { headers, body } = translate?.(sent) ?? sent;
  const place = via === 'https' ? baseUrl : via === 'untrusted' ? (untrustedUrl ?? baseUrl) : canaryUrl;
  const { origin } = new URL(via === 'canary-http' ? place.replace('https:', 'http:') : place);
  const exchange: Exchange = {
    label: `event ${n}, from the deployment to its receiver`,
    request: { method, url: `${origin}${target}`, headers, body },
    ...(translate && { carried: { request: { method, url: `${origin}${target}`, ...sent }, answer: null } }),
    response: answered.kind === 'status' ? emptyAnswer(answered, request.began_ms) : null,
    error: answered.kind === 'status' ? null : `answered: ${answered.kind}`,
    sentAt: request.began_ms,
    endedAt: answered.kind === 'status' ? answered.at_ms : request.at_ms,
  };
  return { n, via, method, target, headers, body, isCut: request.cut, receivedMs, answered, exchange };
}

function emptyAnswer(
  { status, at_ms }: { readonly status: number; readonly at_ms: number },
  beganMs: number,
): Exchange['response'] {
  const tookMs = at_ms - beganMs;
  const body = Buffer.alloc(0);
  return { status, headers: [], body, firstByteMs: tookMs, endMs: tookMs, complete: true };
}
