import type { WireRequest } from '../../wire/client.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import type { RawAnswer } from '../../wire/raw-socket.ts';
import {
  type CompatAOptions,
  type CompatBOptions,
  compatARequest,
  compatBRequest,
} from '../compat-request.ts';
import { type Fetched, fetchMedia } from '../fetch-media.ts';
import { bearer, type ChatOptions, chatRequest, type RequestBody } from '../requests.ts';
import type { CheckSender } from './check-sender.ts';
import type { TenantSender } from './tenant-sender.ts';

/**
 * Calls with the keys of one tenant. `open…` sends at once; the others keep each user at most at its cap minus one
 * calls.
 */
export class HttpCalls {
  readonly #tenant: TenantSender;
  readonly #sender: CheckSender;

  constructor(tenant: TenantSender, sender: CheckSender) {
    this.#tenant = tenant;
    this.#sender = sender;
  }

  /** The check's last exchanges, oldest first. */
  get sent(): readonly Exchange[] {
    return this.#sender.sent;
  }

  async send(request: WireRequest): Promise<Exchange> {
    return this.#tenant.politely(undefined, () => this.open(request).done);
  }

  /** Waits until the user of `key` is below its limit, for work that opens one call and may leave it. */
  inTurn(key: string | undefined, work: () => Promise<Exchange>): Promise<Exchange> {
    return this.#tenant.politely(key, work);
  }

  /** Sends at once, and lets the caller follow the answer or disconnect. */
  open(request: WireRequest): LiveExchange {
    return this.#tenant.open(request);
  }

  async get(path: string, options: ChatOptions = {}): Promise<Exchange> {
    const headers = { ...bearer(options.key ?? this.#tenant.mainKey), ...options.headers };
    return this.send({ method: 'GET', path, headers, label: options.label ?? `GET ${path}` });
  }

  async chat(body: RequestBody, options: ChatOptions = {}): Promise<Exchange> {
    return this.#tenant.politely(options.key, () => this.openChat(body, options).done);
  }

  openChat(body: RequestBody, options: ChatOptions = {}): LiveExchange {
    return this.open(chatRequest(body, options, this.#tenant.mainKey));
  }

  async compatA(body: RequestBody, options: CompatAOptions = {}): Promise<Exchange> {
    return this.#tenant.politely(options.key, () => this.openCompatA(body, options).done);
  }

  openCompatA(body: RequestBody, options: CompatAOptions = {}): LiveExchange {
    return this.open(compatARequest(body, options, this.#tenant.mainKey));
  }

  async compatB(model: string, body: RequestBody, options: CompatBOptions = {}): Promise<Exchange> {
    return this.#tenant.politely(options.key, () => this.openCompatB(model, body, options).done);
  }

  openCompatB(model: string, body: RequestBody, options: CompatBOptions = {}): LiveExchange {
    return this.open(compatBRequest(model, body, options, this.#tenant.mainKey));
  }

  /** Reads a URL without an API key. */
  async fetch(url: string): Promise<Fetched> {
    return fetchMedia((each) => this.#sender.fetch(each), url);
  }

  /** Writes bytes to a new socket and reads the answer until the peer closes or `withinMs` passes. */
  async raw(pieces: readonly (string | Buffer)[], withinMs: number): Promise<RawAnswer> {
    return this.#tenant.raw(pieces, withinMs);
  }
}
