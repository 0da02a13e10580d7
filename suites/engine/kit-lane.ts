import { createHash } from 'node:crypto';
import type { Keys, Profile } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';
import type { WireRequest } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { LiveExchange } from '../wire/live-exchange.ts';
import {
  type CompatAOptions,
  type CompatBOptions,
  compatARequest,
  compatBRequest,
} from './compat-request.ts';
import type { Fact } from './facts.ts';
import { Gate } from './gate.ts';
import { KitMedia, type MediaParts } from './kit-media.ts';
import { KitWebhooks, type WebhookParts } from './kit-webhooks.ts';
import { Meter } from './meter.ts';
import { type ChatOptions, chatRequest, type RequestBody } from './requests.ts';
import { Scene, type UpstreamScope } from './scene.ts';
import { type AccountWish, TestAccounts, type TestKey } from './test-accounts.ts';
import type { Wear } from './wear.ts';

/** A lane as the engine hands it to a kit. */
export interface LaneParts {
  readonly name: string;
  readonly keys: Keys;
  /** Simulator channel name to the public id that `error.channel` may show; empty when nobody declared any. */
  readonly channels: Readonly<Record<string, string>>;
  /** What events of its account are signed with; null where the profile does not tell. */
  readonly webhookSecret: string | null;
  readonly upstream: UpstreamScope | null;
  readonly wear: Wear;
}

export interface LaneContext {
  /** Tells the markers of this lane from those of every other lane, check and run. */
  readonly purpose: string;
  readonly signal: AbortSignal;
  /** Calls of one user that may be in flight. */
  readonly width: number;
  readonly profile: Profile;
  /** Keeps a secret out of reports. */
  readonly conceal: (secret: string) => void;
  readonly open: (request: WireRequest, lane: KitLane) => LiveExchange;
  /** What calls for pictures and tasks need beyond the lane. */
  readonly media: Pick<MediaParts, 'models' | 'fetch' | 'clockAheadMs' | 'advise' | 'note' | 'issued'>;
  /** What events need beyond it. */
  readonly webhooks: Pick<WebhookParts, 'receiver' | 'deploymentTimeAt' | 'made'>;
}

/** One of the lanes that a check has for itself: an account with keys, channels and scenes of its own. */
export class KitLane {
  readonly #parts: LaneParts;
  readonly #context: LaneContext;
  readonly #gates = new Map<string, Gate>();
  readonly #made = new Map<string, TestKey>();
  /** Makes accounts that are served by the channels of this lane. */
  readonly accounts: TestAccounts;
  /** Tells what calls of this lane cost. */
  readonly meter: Meter;
  /** Calls for pictures and tasks. */
  readonly media: KitMedia;
  /** Events of its tasks. */
  readonly webhooks: KitWebhooks;
  #scenes = 0;

  constructor(parts: LaneParts, context: LaneContext) {
    this.#parts = parts;
    this.#context = context;
    const { profile, signal, conceal } = context;
    const common = { profile, signal, mainKey: parts.keys.K1 };
    this.meter = new Meter(common);
    this.media = new KitMedia({
      ...common,
      ...context.media,
      channels: Object.values(parts.channels),
      gateOf: (key) => this.gateOf(key),
      open: (request) => context.open(request, this),
    });
    this.webhooks = new KitWebhooks({ profile, signal, secret: parts.webhookSecret, ...context.webhooks });
    this.accounts = new TestAccounts({
      ...common,
      onKey: (key) => {
        conceal(key.secret);
        this.#made.set(key.secret, key);
      },
    });
  }

  get name(): string {
    return this.#parts.name;
  }
  get keys(): Keys {
    return this.#parts.keys;
  }
  get channels(): Readonly<Record<string, string>> {
    return this.#parts.channels;
  }
  get wear(): Wear {
    return this.#parts.wear;
  }

  /** A fresh scope: a marker that survives the gateway in the prompt, and the upstream's script and journal under it. */
  scene(): Scene {
    this.#scenes += 1;
    const { purpose, signal } = this.#context;
    const marker = `gc${createHash('sha256').update(`${purpose}:${this.#scenes}`).digest('hex').slice(0, 12)}`;
    const { upstream, wear } = this.#parts;
    return new Scene(
      marker,
      upstream,
      signal,
      (replies) => wear.noteScript(replies),
      this.#context.profile.media,
    );
  }

  /**
   * A key of an account whose credits, or monthly tokens, are spent: of an account that is made for it, or the profile's.
   * @throws Untestable when neither is there.
   */
  async spentKey(what: 'credits' | 'quota'): Promise<string> {
    const wish: AccountWish = what === 'credits' ? { prepaid: true } : { credits: '1000', monthly_tokens: 0 };
    return this.#keyOf(wish, what === 'credits' ? this.keys.no_credits : this.keys.no_quota, 'spent');
  }

  /** A key of an account with so much credit, in dollars, where it can be made; else that of the profile with its little. */
  async fuseKey(credits: string): Promise<string> {
    return this.#keyOf({ credits }, this.keys.fuse, 'fuse');
  }

  async #keyOf(wish: AccountWish, known: string | undefined, fact: Fact): Promise<string> {
    if (this.#context.profile.hooks.accounts !== undefined) return (await this.accounts.create(wish)).key;
    if (known === undefined) throw new Untestable(fact);
    return known;
  }

  /** The key by which the models are looked after that another one wore out: one that is served whatever was spent. */
  ownerOf(key: string): string {
    const { K1, no_credits, no_quota, fuse } = this.keys;
    return this.#made.has(key) || [no_credits, no_quota, fuse].includes(key) ? K1 : key;
  }

  /** Sends politely: never more than cap minus one of one user's calls in flight. K4 is another user's. */
  async chat(body: RequestBody, options: ChatOptions = {}): Promise<Exchange> {
    return this.gateOf(options.key).pass(() => this.openChat(body, options).done);
  }

  /** Sends at once, whatever is in flight. */
  openChat(body: RequestBody, options: ChatOptions = {}): LiveExchange {
    return this.#context.open(chatRequest(body, options, this.keys.K1), this);
  }

  async compatA(body: RequestBody, options: CompatAOptions = {}): Promise<Exchange> {
    return this.gateOf(options.key ?? undefined).pass(() => this.openCompatA(body, options).done);
  }

  openCompatA(body: RequestBody, options: CompatAOptions = {}): LiveExchange {
    return this.#context.open(compatARequest(body, options, this.keys.K1), this);
  }

  async compatB(model: string, body: RequestBody, options: CompatBOptions = {}): Promise<Exchange> {
    return this.gateOf(options.key ?? undefined).pass(() => this.openCompatB(model, body, options).done);
  }

  openCompatB(model: string, body: RequestBody, options: CompatBOptions = {}): LiveExchange {
    return this.#context.open(compatBRequest(model, body, options, this.keys.K1), this);
  }

  /** The gate of the key's user. Accounts made for a check have users of their own, with caps of their own. */
  gateOf(key: string | undefined): Gate {
    const made = key === undefined ? undefined : this.#made.get(key);
    const user = made?.user ?? (key !== undefined && key === this.keys.K4 ? 'other' : 'main');
    const width = made === undefined ? this.#context.width : Math.max(1, made.cap - 1);
    const gate = this.#gates.get(user) ?? new Gate(width);
    this.#gates.set(user, gate);
    return gate;
  }
}
