import type { Reply } from 'gatecheck-simulators/client';
import type { Meter } from '../../engine/meter.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Tenant } from '../../engine/parts/tenant.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import type { Pico } from '../../oracle/money.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { coreProtocol, type Protocol } from '../protocols/protocol.ts';
import { readSaid } from '../protocols/said.ts';

/** A good call whose upstream reports scripted token counts. */
export interface PricedCall {
  readonly model: string;
  readonly counts: NativeCounts;
  /** How the report labels this call. */
  readonly label: string;
  /** The core path by default. */
  readonly protocol?: Protocol;
  readonly stream?: boolean;
  /** The tenant's main key by default. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The text of the prompt. */
  readonly text?: string;
  /**
   * Further members of the request. A function that replaces the prompt gets its text, by which the upstream
   * recognizes the call.
   */
  readonly more?: (prompt: string) => JsonObject;
  /** The upstream's answer, apart from its counts. */
  readonly reply?: Reply;
}

/** The rule that the calls serve to judge. A call that is not served is reported under it. */
export interface PricedRule {
  readonly requirement: string;
  readonly aspect?: string;
}

/** A call with its charge. */
export interface Priced {
  readonly charge: Pico;
  readonly exchange: Exchange;
  readonly call: PricedCall;
}

/** Makes the call, judges that it is served, and reads its charge from whatever the deployment shows. */
export async function pricedCall(
  { tenants, cases, judge }: CheckParts,
  call: PricedCall,
  { requirement, aspect = 'accepted' }: PricedRule,
  tenant: Tenant = tenants[0],
): Promise<Priced> {
  cases.count();
  const {
    protocol = coreProtocol,
    model,
    counts,
    label,
    stream = false,
    key,
    text,
    more,
    reply,
    headers = {},
  } = call;
  const scene = tenant.newScene();
  await scene.script({ text: 'Counted elsewhere.', ...reply, usage: { ...counts } });
  const asked = { model, ...(text === undefined ? {} : { text }) };
  const body = { ...protocol.body(scene, asked), ...more?.(scene.prompt(text)) };
  const own = key === undefined ? {} : { key };
  const send = (): Promise<Exchange> =>
    protocol.send(tenant.http, model, body, { label: `${model}, ${label}`, stream, headers, ...own });
  const { exchange, charge } = await charged(tenant.meter, send, own);
  readSaid(judge, protocol, exchange, { requirement, aspect, model, stream });
  return { charge, exchange, call };
}

/** A description of a priced call that distinguishes it from others, for messages. */
export function named({ call: { protocol = coreProtocol, model, label, stream } }: Priced): string {
  return `${model} on ${protocol.name}${stream === true ? ', stream' : ''}, ${label}`;
}

/** Makes one call, whatever its outcome, and reads its charge, which may be posted `laterMs` after it. */
export async function charged(
  meter: Meter,
  send: () => Promise<Exchange>,
  options: { readonly key?: string; readonly laterMs?: number } = {},
): Promise<{ readonly exchange: Exchange; readonly charge: Pico }> {
  const sent: Exchange[] = [];
  const work = async (): Promise<Exchange[]> => {
    sent.push(await send());
    return sent;
  };
  const charge = await meter.charged(work, options);
  const [exchange] = sent as [Exchange];
  return { exchange, charge };
}
