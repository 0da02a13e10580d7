import { createHash } from 'node:crypto';
import type { Keys } from '../targets/profile.ts';
import type { WireRequest } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { LiveExchange } from '../wire/live-exchange.ts';
import {
  type CompatAOptions,
  type CompatBOptions,
  compatARequest,
  compatBRequest,
} from './compat-request.ts';
import { Gate } from './gate.ts';
import { type ChatOptions, chatRequest, type RequestBody } from './requests.ts';
import { Scene, type UpstreamScope } from './scene.ts';
import type { Wear } from './wear.ts';

/** A lane as the engine hands it to a kit. */
export interface LaneParts {
  readonly name: string;
  readonly keys: Keys;
  /** Simulator channel name to the public id that `error.channel` may show; empty when nobody declared any. */
  readonly channels: Readonly<Record<string, string>>;
  readonly upstream: UpstreamScope | null;
  readonly wear: Wear;
}

export interface LaneContext {
  /** Tells the markers of this lane from those of every other lane, check and run. */
  readonly purpose: string;
  readonly signal: AbortSignal;
  /** Calls of one user that may be in flight. */
  readonly width: number;
  readonly open: (request: WireRequest, lane: KitLane) => LiveExchange;
}

/** One of the lanes that a check has for itself: an account with keys, channels and scenes of its own. */
export class KitLane {
  readonly #parts: LaneParts;
  readonly #context: LaneContext;
  readonly #gates = new Map<string, Gate>();
  #scenes = 0;

  constructor(parts: LaneParts, context: LaneContext) {
    this.#parts = parts;
    this.#context = context;
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
    return new Scene(marker, upstream, signal, (replies) => wear.noteScript(replies));
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

  gateOf(key: string | undefined): Gate {
    const user = key !== undefined && key === this.keys.K4 ? 'other' : 'main';
    const gate = this.#gates.get(user) ?? new Gate(this.#context.width);
    this.#gates.set(user, gate);
    return gate;
  }
}
