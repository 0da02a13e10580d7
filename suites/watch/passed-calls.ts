import type { MarkedUpKey } from '../engine/declared-price.ts';
import { requestIdsOf } from '../engine/request-id.ts';
import { statedUsage } from '../engine/stated-usage.ts';
import type { UsageRecord } from '../engine/usage-record.ts';
import { cacheRates, type ListPrice, type UsageCounts } from '../oracle/price.ts';
import type { Profile } from '../profile/profile.ts';
import { isJsonObject, parseJson } from '../values/json.ts';
import { decodedPart } from '../wire/curl.ts';
import { type Exchange, isSuccess, mediaType } from '../wire/exchange.ts';
import { readSse } from '../wire/sse.ts';
import { credentialsOf } from './private-parts.ts';

type Json = Readonly<Record<string, unknown>>;

/** What is remembered about a call, for later reads of the usage log or the ledger. */
export interface PassedCall {
  readonly what: 'chat' | 'pictures' | 'task';
  /** `broken`: it was accepted but ended badly, so that its charge is unknown. */
  readonly outcome: 'served' | 'refused' | 'broken';
  readonly asked: string;
  readonly served: string;
  readonly stream: boolean;
  /** The key whose markup holds; null of a key that the profile does not name. */
  readonly payer: MarkedUpKey | null;
  /** The counts in the answer; null when it has none. */
  readonly counts: UsageCounts | null;
  /** Whether its protocol also states cache writes. */
  readonly statesWrites: boolean;
  readonly pictures: number;
  /** Members of the request that change a price. */
  readonly order: Json;
  readonly taskId: string | null;
  readonly endedAt: number;
  /** Its usage record and its charge, once read. */
  record: UsageRecord | null;
  charge: bigint | null;
}

/** The kinds of calls, by path. */
const kinds: readonly (readonly [RegExp, PassedCall['what']])[] = [
  [/\/api\/v1\/chat\/completions$|\/compat-a\/v1\/messages$|\/compat-b\/v1beta\/models\/[^/]+:\w+$/, 'chat'],
  [/\/api\/v1\/images\/generations$/, 'pictures'],
  [/\/api\/v1\/tasks$/, 'task'],
];

/** The calls that passed, by the request ids of their answers. When there is no room, the oldest are dropped. */
export class PassedCalls {
  readonly #most: number;
  readonly #byId = new Map<string, PassedCall>();

  constructor(most: number) {
    this.#most = most;
  }

  of(id: string): PassedCall | undefined {
    return this.#byId.get(id);
  }

  /** Remembers an exchange where it is a call whose answer names it. */
  note(exchange: Exchange, profile: Pick<Profile, 'http' | 'keys' | 'tenants'>): void {
    const call = callOf(exchange, profile);
    if (call === null) return;
    for (const id of requestIdsOf(exchange, profile)) this.#byId.set(id, call);
    for (const id of this.#byId.keys()) {
      if (this.#byId.size <= this.#most) break;
      this.#byId.delete(id);
    }
  }
}

/** The counts in a call's answer, if they cannot lack tokens that have another price. */
export function wholeCounts(
  { counts, served, statesWrites }: PassedCall,
  price: ListPrice,
): UsageCounts | null {
  const { write5m, write1h } = cacheRates(served, price);
  return statesWrites || (write5m === 100 && write1h === 100) ? counts : null;
}

function callOf(exchange: Exchange, profile: Pick<Profile, 'keys' | 'tenants'>): PassedCall | null {
  const { request, response } = exchange;
  const { pathname } = new URL(request.url);
  const what = kinds.find(([path]) => path.test(pathname))?.[1];
  if (request.method !== 'POST' || what === undefined || response === null) return null;
  const body = parseJson(request.body.toString('utf8'));
  const order = isJsonObject(body) ? body : {};
  const bodies = bodiesOf(exchange);
  const named = /models\/([^/]+):\w+$/.exec(pathname)?.[1];
  const asked = named === undefined ? textOf(order.model) : decodedPart(named);
  const { n, quality, duration, action } = order;
  return {
    ...{ what, asked, outcome: outcomeOf(exchange, bodies), payer: payerOf(exchange, profile) },
    served: bodies.map(modelIn).find((name) => name !== '') ?? asked,
    stream: order.stream === true || pathname.endsWith(':streamGenerateContent'),
    counts: what === 'chat' ? countsOf(exchange, bodies) : null,
    statesWrites: pathname.endsWith('/messages'),
    pictures: Array.isArray(bodies[0]?.data) ? bodies[0].data.length : 0,
    order: { model: asked, n, quality, duration, action },
    taskId: textOf(bodies[0]?.task_id) || null,
    ...{ endedAt: exchange.endedAt, record: null, charge: null },
  };
}

function outcomeOf(exchange: Exchange, bodies: readonly Json[]): PassedCall['outcome'] {
  if (!isSuccess(exchange)) return (exchange.response?.status ?? 0) >= 400 ? 'refused' : 'broken';
  const isBroken = exchange.response?.complete !== true || bodies.some(({ error }) => isJsonObject(error));
  return isBroken ? 'broken' : 'served';
}

function countsOf(exchange: Exchange, bodies: readonly Json[]): UsageCounts | null {
  const states = ({ usage, usageMetadata, message }: Json): boolean =>
    isJsonObject(usage) ||
    isJsonObject(usageMetadata) ||
    (isJsonObject(message) && isJsonObject(message.usage));
  if (!bodies.some(states)) return null;
  const counts = statedUsage(exchange);
  // An upstream that counted nothing counts here as one that counted 0.
  return counts.prompt_tokens > 0 ? counts : null;
}

function modelIn({ model, modelVersion, message }: Json): string {
  return textOf(model) || textOf(modelVersion) || (isJsonObject(message) ? textOf(message.model) : '');
}

function bodiesOf(exchange: Exchange): Json[] {
  const body = exchange.response?.body ?? Buffer.alloc(0);
  const texts =
    mediaType(exchange) === 'text/event-stream'
      ? readSse(body).events.map(({ data }) => data)
      : [body.toString('utf8')];
  return texts.map(parseJson).filter(isJsonObject);
}

function payerOf(
  exchange: Exchange,
  { keys, tenants }: Pick<Profile, 'keys' | 'tenants'>,
): MarkedUpKey | null {
  const shown = credentialsOf(exchange);
  const sets = [keys, ...tenants.map((tenant) => tenant.keys)];
  const isShown = (name: MarkedUpKey): boolean =>
    sets.some((set) => set[name] !== undefined && shown.includes(set[name]));
  return (['K1', 'K5'] as const).find(isShown) ?? null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
