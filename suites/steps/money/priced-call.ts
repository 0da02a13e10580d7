import type { Reply } from '../../../simulators/control/client.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Tenant } from '../../engine/parts/tenant.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import type { Pico } from '../../oracle/money.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { coreProtocol, type Protocol } from '../protocols/protocol.ts';
import { readSaid } from '../protocols/said.ts';
import { charged } from './charged.ts';

/** A good call whose upstream counts what it is told to count. */
export interface PricedCall {
  readonly model: string;
  readonly counts: NativeCounts;
  /** What is special about it, for the report. */
  readonly label: string;
  /** The core path when left out. */
  readonly protocol?: Protocol;
  readonly stream?: boolean;
  /** The main key of the lane when left out. */
  readonly key?: string;
  /** The words of the prompt. */
  readonly text?: string;
  /** What else the request says; whoever says the prompt otherwise gets its words, by which the upstream knows the call. */
  readonly more?: (prompt: string) => JsonObject;
  /** How the upstream answers, its counts aside. */
  readonly reply?: Reply;
}

/** The rule for whose sake calls are made: one that is not served is reported under it. */
export interface PricedRule {
  readonly requirement: string;
  readonly aspect?: string;
}

/** A call, and what it was charged. */
export interface Priced {
  readonly charge: Pico;
  readonly exchange: Exchange;
  readonly call: PricedCall;
}

/** Makes the call, judges that it is served, and reads its price off whatever the deployment shows. */
export async function pricedCall(
  { tenants, cases, judge }: CheckParts,
  call: PricedCall,
  { requirement, aspect = 'accepted' }: PricedRule,
  tenant: Tenant = tenants[0],
): Promise<Priced> {
  cases.count();
  const { protocol = coreProtocol, model, counts, label, stream = false, key, text, more, reply } = call;
  const scene = tenant.newScene();
  await scene.script({ text: 'Counted elsewhere.', ...reply, usage: { ...counts } });
  const asked = { model, ...(text === undefined ? {} : { text }) };
  const body = { ...protocol.body(scene, asked), ...more?.(scene.prompt(text)) };
  const own = key === undefined ? {} : { key };
  const send = (): Promise<Exchange> =>
    protocol.send(tenant.http, model, body, { label: `${model}, ${label}`, stream, ...own });
  const { exchange, charge } = await charged(tenant.meter, send, key);
  readSaid(judge, protocol, exchange, { requirement, aspect, model, stream });
  return { charge, exchange, call };
}

/** What tells one priced call from another, for a sentence. */
export function named({ call: { protocol = coreProtocol, model, label, stream } }: Priced): string {
  return `${model} on ${protocol.name}${stream === true ? ', stream' : ''}, ${label}`;
}
