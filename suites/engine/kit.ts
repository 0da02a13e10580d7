import { createHash } from 'node:crypto';
import type { Keys, Profile } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';
import { createRng, type Rng } from '../seed.ts';
import type { WireRequest } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { LiveExchange } from '../wire/live-exchange.ts';
import { type RawAnswer, sendRaw } from '../wire/raw-socket.ts';
import type { StackClock } from './clock-control.ts';
import type { CompatAOptions, CompatBOptions } from './compat-request.ts';
import { KitCases } from './kit-cases.ts';
import { KitLane, type LaneContext } from './kit-lane.ts';
import type { KitMedia } from './kit-media.ts';
import type { KitParts } from './kit-parts.ts';
import type { KitWebhooks } from './kit-webhooks.ts';
import type { Meter } from './meter.ts';
import { withGzipOffer } from './offer-gzip.ts';
import { PassingTime } from './passing-time.ts';
import {
  bearer,
  type ChatOptions,
  chatRequest,
  digestOf,
  type JsonObject,
  type RequestBody,
  readsTaskOf,
} from './requests.ts';
import type { Scene } from './scene.ts';
import type { TestAccounts } from './test-accounts.ts';

export type { ChatOptions, JsonObject };

/** Everything a check may touch. One kit serves one run of one check. */
export class Kit extends KitCases {
  readonly rng: Rng;
  /** The lanes that the check asked for, or fewer when the deployment has not so many. */
  readonly lanes: readonly [KitLane, ...KitLane[]];
  readonly #parts: KitParts;
  readonly #passing: PassingTime;
  protected override readonly channelsKnown: readonly string[];

  constructor(parts: KitParts) {
    super(parts);
    this.#parts = parts;
    this.rng = createRng(parts.seed, parts.checkId);
    this.#passing = new PassingTime(parts);
    this.channelsKnown = parts.lanes.flatMap((lane) => Object.values(lane.channels));
    const [first, ...others] = parts.lanes.map((lane, index) => new KitLane(lane, this.#laneContext(index)));
    this.lanes = [first as KitLane, ...others];
  }

  #laneContext(index: number): LaneContext {
    const { seed, checkId, signal, profile } = this.#parts;
    return {
      purpose: `${seed}:${checkId}${index === 0 ? '' : `:${index}`}`,
      signal,
      profile,
      conceal: (secret) => this.record.concealed.push([secret, '$GATECHECK_KEY_MADE']),
      width: Math.max(1, profile.cap.value - 1),
      open: (request, lane) => this.#open(request, lane),
      media: {
        models: this.#parts.mediaModels,
        fetch: (url) => this.#fetch(url),
        clockAheadMs: () => this.clockAheadMs,
        advise: (finding) => this.advise(finding),
        note: (text) => this.note(text),
        issued: (id) => this.record.issue(id),
      },
      webhooks: {
        receiver: this.#parts.receiver,
        deploymentTimeAt: (realMs) => this.#parts.clock?.timeAt(realMs) ?? { least: realMs, most: realMs },
        made: (part) => this.record.issued.add(part),
      },
    };
  }

  get profile(): Profile {
    return this.#parts.profile;
  }
  get ownLane(): boolean {
    return this.#parts.ownLane;
  }
  get keys(): Keys {
    return this.lanes[0].keys;
  }
  /** Simulator channel name to the public id that `error.channel` may show; empty when nobody declared any. */
  get channelIds(): Readonly<Record<string, string>> {
    return this.lanes[0].channels;
  }
  /** Catalogue ids that are enabled for K1, at least one. */
  get models(): readonly string[] {
    return this.#parts.models;
  }
  /** The last exchanges, oldest first. */
  get sent(): readonly Exchange[] {
    return this.record.sent;
  }

  /** A key that the check declared to need. */
  key(name: keyof Keys): string {
    const key = this.keys[name];
    if (key === undefined) throw new Error(`the check uses keys.${name} without declaring that it needs it`);
    return key;
  }

  /** A key derived from a real one: reports show a placeholder in its place. */
  altered(key: string): string {
    this.record.concealed.push([key, '$GATECHECK_KEY_ALTERED']);
    return key;
  }

  /** The one model on which a check runs when any would do: drawn by seed. */
  anyModel(): string {
    return this.rng.pick(this.models);
  }

  /** A fresh scope on the check's own lane: see {@link KitLane.scene}. */
  scene(): Scene {
    return this.lanes[0].scene();
  }

  /** Makes accounts for this check: see {@link TestAccounts}. */
  get accounts(): TestAccounts {
    return this.lanes[0].accounts;
  }
  /** Tells what calls cost: see {@link Meter}. */
  get meter(): Meter {
    return this.lanes[0].meter;
  }

  /** A key of an account that has nothing left: see {@link KitLane.spentKey}. */
  async spentKey(what: 'credits' | 'quota'): Promise<string> {
    return this.lanes[0].spentKey(what);
  }
  /** A key of an account with little credit: see {@link KitLane.fuseKey}. */
  async fuseKey(credits: string): Promise<string> {
    return this.lanes[0].fuseKey(credits);
  }

  /** Calls for pictures and tasks: see {@link KitMedia}. */
  get media(): KitMedia {
    return this.lanes[0].media;
  }
  /** Places for events, and what they are judged by: see {@link KitWebhooks}. */
  get webhooks(): KitWebhooks {
    return this.lanes[0].webhooks;
  }
  get clock(): StackClock {
    if (this.#parts.clock === null) throw new Untestable('hooks.clock');
    return this.#parts.clock;
  }

  /**
   * Lets the deployment's time pass: a jump where there is a clock hook, else waiting where its declared times are
   * short enough for that, and this wait and all before it are. Only for checks that declare `clock: 'jump'`.
   * @throws Untestable when neither is possible.
   */
  async elapse(ms: number): Promise<void> {
    await this.#passing.elapse(ms);
  }

  /** The deployment's time, ms since the epoch. */
  now(): number {
    return Date.now() + this.clockAheadMs;
  }

  /** Sends politely: never more than cap minus one of this user's calls in flight. */
  async send(request: WireRequest): Promise<Exchange> {
    return this.lanes[0].gateOf(undefined).pass(() => this.open(request).done);
  }

  /** Sends at once, whatever is in flight, and lets the caller follow the answer or leave. */
  open(request: WireRequest): LiveExchange {
    return this.#open(request, this.lanes[0]);
  }

  #open(request: WireRequest, lane: KitLane): LiveExchange {
    this.#parts.spend();
    const { issued } = this.record;
    if (readsTaskOf(request, issued)) this.record.countRead();
    else this.record.countExchange(digestOf(request, issued));
    const { seed, checkId, client } = this.#parts;
    const live = client.open(withGzipOffer({ signal: this.signal, ...request }, seed, checkId, issued));
    void live.done.then((exchange) => {
      lane.wear.noteExchange(request, exchange, (key) => lane.ownerOf(key));
      this.record.keep(exchange);
    });
    return live;
  }

  #fetch(url: string): LiveExchange {
    this.#parts.spend();
    this.record.countRead();
    const live = this.#parts.client.fetch(url, { label: 'fetch', signal: this.signal });
    void live.done.then((exchange) => this.record.keep(exchange));
    return live;
  }

  /** Sends an event to a receiver, as the deployment does. Its time and its id are others in each run. */
  async sendEvent(url: string, request: Omit<WireRequest, 'path' | 'method'>): Promise<Exchange> {
    this.#parts.spend();
    this.record.countRead();
    const { done } = this.#parts.client.openAt(url, { signal: this.signal, ...request, method: 'POST' });
    const exchange = await done;
    this.record.keep(exchange);
    return exchange;
  }

  async chat(body: RequestBody, options: ChatOptions = {}): Promise<Exchange> {
    return this.lanes[0].chat(body, options);
  }

  openChat(body: RequestBody, options: ChatOptions = {}): LiveExchange {
    return this.open(this.chatRequest(body, options));
  }

  chatRequest(body: RequestBody, options: ChatOptions = {}): WireRequest {
    return chatRequest(body, options, this.keys.K1);
  }

  async compatA(body: RequestBody, options: CompatAOptions = {}): Promise<Exchange> {
    return this.lanes[0].compatA(body, options);
  }

  openCompatA(body: RequestBody, options: CompatAOptions = {}): LiveExchange {
    return this.lanes[0].openCompatA(body, options);
  }

  async compatB(model: string, body: RequestBody, options: CompatBOptions = {}): Promise<Exchange> {
    return this.lanes[0].compatB(model, body, options);
  }

  openCompatB(model: string, body: RequestBody, options: CompatBOptions = {}): LiveExchange {
    return this.lanes[0].openCompatB(model, body, options);
  }

  async get(path: string, options: ChatOptions = {}): Promise<Exchange> {
    const headers = { ...bearer(options.key ?? this.keys.K1), ...options.headers };
    return this.send({ method: 'GET', path, headers, label: options.label ?? `GET ${path}` });
  }

  /** Writes bytes to a socket of its own and reads what comes back until the peer closes or `withinMs` passes. */
  async raw(pieces: readonly (string | Buffer)[], withinMs: number): Promise<RawAnswer> {
    this.#parts.spend();
    const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
    this.record.countExchange(createHash('sha256').update(bytes).digest('hex'));
    return sendRaw({
      baseUrl: this.profile.base_url,
      caPath: this.profile.tls.ca ?? null,
      pieces,
      withinMs,
      signal: this.signal,
    });
  }

  protected override get clockAheadMs(): number {
    return this.#parts.clock?.aheadMs ?? 0;
  }
}
