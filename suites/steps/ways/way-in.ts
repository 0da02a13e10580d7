import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Tenant } from '../../engine/parts/tenant.ts';
import type { JsonObject, RequestBody } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { readSaid } from '../protocols/said.ts';

/** Who calls: the first tenant of a check, or another one. */
export type WayCaller = Pick<Tenant, 'http' | 'images' | 'tasks'>;

export interface WayOptions {
  readonly label: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The tenant's main key by default. */
  readonly key?: string;
}

/** The rule that a call is about. */
export interface Rule {
  readonly requirement: string;
  readonly aspect: string;
}

/**
 * One way to generate something: a chat protocol, images or tasks, streamed or not, with a model (specification,
 * "Endpoints").
 */
export interface WayIn {
  readonly name: Protocol['name'] | 'images' | 'tasks';
  readonly stream: boolean;
  readonly model: string;
  /** The chat protocol; null for media. */
  readonly protocol: Protocol | null;
  /** Whether a call lasts as long as its upstream takes. A submission returns at once, before any upstream call. */
  readonly lasts: boolean;
  /** The smallest legal request. */
  body(scene: Scene): JsonObject;
  /** Sends at once, however many calls are in flight. */
  open(caller: WayCaller, body: RequestBody, options: WayOptions): LiveExchange;
  /** Sends within the limit: at most cap minus one calls of one user are in flight. */
  send(caller: WayCaller, body: JsonObject, options: WayOptions): Promise<Exchange>;
  /** Judges that a call was served, in the form of this endpoint. */
  judgeServed(parts: CheckParts, exchange: Exchange, rule: Rule): void;
}

/** The name of an endpoint in reports. */
export function wayLabel({ name, stream }: Pick<WayIn, 'name' | 'stream'>): string {
  return `${name}${stream ? ', stream' : ''}`;
}

/** A request of this endpoint with one fault, for which no upstream is called. */
export function faultyBody({ name }: Pick<WayIn, 'name'>, body: JsonObject): JsonObject {
  if (name === 'images' || name === 'tasks') return { ...body, webhook_url: 7 };
  return { ...body, [name === 'compat-b' ? 'contents' : 'messages']: 7 };
}

/** A way to call a chat protocol. */
export interface ChatWay extends WayIn {
  readonly protocol: Protocol;
}

/** A chat protocol, streamed or not. */
export function chatWay(protocol: Protocol, model: string, stream: boolean): ChatWay {
  return {
    ...{ name: protocol.name, stream, model, protocol, lasts: true },
    body: (scene) => protocol.body(scene, { model }),
    open: ({ http }, body, options) => protocol.open(http, model, body, { ...options, stream }),
    send: ({ http }, body, options) => protocol.send(http, model, body, { ...options, stream }),
    judgeServed: ({ judge }, exchange, rule) => {
      readSaid(judge, protocol, exchange, { ...rule, model, stream });
    },
  };
}

export function imagesWay(model: string): WayIn {
  return {
    ...{ name: 'images', stream: false, model, protocol: null, lasts: true },
    body: (scene) => scene.minimalMedia(model),
    open: ({ images }, body, options) => images.open(body, options),
    send: ({ images }, body, options) => images.generate(body, options),
    judgeServed: ({ images }, exchange, rule) => {
      images.pictured(exchange, rule);
    },
  };
}

export function tasksWay(model: string): WayIn {
  return {
    ...{ name: 'tasks', stream: false, model, protocol: null, lasts: false },
    body: (scene) => scene.minimalMedia(model),
    open: ({ tasks }, body, options) => tasks.openSubmit(body, options),
    send: ({ tasks }, body, options) => tasks.submit(body, options),
    judgeServed: ({ tasks }, exchange, rule) => {
      tasks.accepted(exchange, rule);
    },
  };
}
