import { Agent, request } from 'undici';
import type {
  Answer,
  ConnectionsAnswer,
  EventsAnswer,
  HealthAnswer,
  InboxesAnswer,
  ReleaseAnswer,
} from './protocol.ts';

export interface EventsQuery {
  /** Only requests after this number. */
  readonly after?: number;
  /** Answers once there are this many requests, or after `waitMs` of real time. */
  readonly count?: number;
  readonly waitMs?: number;
}

/** The longest answer that is read, bytes; each event is at most 1 MB. */
const maxAnswerBytes = 256 * 1024 * 1024;
/** Longer than the longest wait of one call, ms. */
const withinMs = 90_000;

interface CallOptions {
  readonly signal?: AbortSignal;
}

/** A client of the control API of a webhook receiver. */
export class ReceiverControl {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connections: null,
    maxResponseSize: maxAnswerBytes,
  });

  /** @param token for a receiver on another machine; a receiver on this machine needs none */
  constructor(controlUrl: string, token?: string) {
    this.#url = controlUrl;
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  async health(options: CallOptions = {}): Promise<HealthAnswer> {
    return (await this.#call('GET', '/health', undefined, options)) as HealthAnswer;
  }

  /** The open inboxes. */
  async inboxes(options: CallOptions = {}): Promise<InboxesAnswer['inboxes']> {
    return ((await this.#call('GET', '/inboxes', undefined, options)) as InboxesAnswer).inboxes;
  }

  /** Opens an inbox, or changes the plan of an open one from its next request on. */
  async plan(scope: string, answers: readonly Answer[], options: CallOptions = {}): Promise<void> {
    await this.#call('POST', `/inboxes/${encodeURIComponent(scope)}/plan`, { answers }, options);
  }

  async events(
    scope: string,
    { after = 0, count = 0, waitMs = 0 }: EventsQuery = {},
    options: CallOptions = {},
  ): Promise<EventsAnswer> {
    const query = new URLSearchParams({
      after: String(after),
      count: String(count),
      wait_ms: String(Math.max(0, Math.ceil(waitMs))),
    });
    const path = `/inboxes/${encodeURIComponent(scope)}/events?${query}`;
    return (await this.#call('GET', path, undefined, options)) as EventsAnswer;
  }

  /** Answers the held requests. Returns how many there were. */
  async release(scope: string, options: CallOptions = {}): Promise<number> {
    const path = `/inboxes/${encodeURIComponent(scope)}/release`;
    return ((await this.#call('POST', path, {}, options)) as ReleaseAnswer).released;
  }

  /** Closes an inbox. Held requests and later ones get an answer. */
  async closeInbox(scope: string): Promise<void> {
    await this.#call('DELETE', `/inboxes/${encodeURIComponent(scope)}`, undefined, {});
  }

  async connections(options: CallOptions = {}): Promise<ConnectionsAnswer> {
    return (await this.#call('GET', '/connections', undefined, options)) as ConnectionsAnswer;
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  async #call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body: object | undefined,
    { signal }: CallOptions,
  ): Promise<unknown> {
    const answer = await request(`${this.#url}${path}`, {
      method,
      dispatcher: this.#agent,
      ...(body === undefined
        ? { headers: this.#headers }
        : {
            body: JSON.stringify(body),
            headers: { ...this.#headers, 'content-type': 'application/json' },
          }),
      signal: AbortSignal.any([AbortSignal.timeout(withinMs), ...(signal === undefined ? [] : [signal])]),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200)
      throw new Error(
        `the webhook receiver answered HTTP ${answer.statusCode} to ${method} ${path}: ${text}`,
      );
    return JSON.parse(text);
  }
}
