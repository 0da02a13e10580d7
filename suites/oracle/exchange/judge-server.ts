import type { RouteProfile } from '../../profile/profile.ts';
import { flag } from '../../rules/violation.ts';
import { parseJson } from '../../values/json.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { readSse } from '../../wire/sse.ts';
import { objectOf } from '../native/json.ts';
import type { Attempt } from './attempt.ts';
import type { Call, Protocol } from './call.ts';

const rules: Partial<Record<Protocol, readonly [requirement: string, aspect: string]>> = {
  chat: ['RESP-004', 'served-model'],
  compatA: ['COMPA-010', 'model-name'],
  compatB: ['COMPB-010', 'model-public'],
};

/**
 * Judges the model that an answer names by the channel that gave it ("Chat response": the id that served, which may differ if a
 * fallback fired). Channels of both models show nothing.
 */
export function judgeServer(
  exchange: Exchange,
  { protocol, model, stream }: Call,
  { channel }: Pick<Attempt, 'channel'>,
  routes: readonly RouteProfile[],
): void {
  const rule = rules[protocol];
  const [asked, ...more] = routes.filter((route) => route.model === model);
  if (rule === undefined || asked === undefined || more.length > 0) return;
  const has = (route: RouteProfile | undefined): boolean =>
    route?.channels.some(({ name }) => name === channel) === true;
  const other = routes.find((route) => route.model === asked.fallback);
  const [isOwn, isOther] = [has(asked), has(other)];
  const served = isOwn && !isOther ? model : isOther && !isOwn ? other?.model : undefined;
  const named = [...new Set(namesIn(exchange, stream))];
  if (served === undefined || named.length === 0) return;
  flag(named.length === 1 && named[0] === served, {
    ...{ requirement: rule[0], aspect: rule[1], exchange },
    expected: `model ${served}, whose channel ${channel} answered`,
    actual: named.join(', '),
  });
}

/** The model in each place where an answer or an event names it. */
function namesIn({ response }: Exchange, stream: boolean): string[] {
  const body = response?.body ?? Buffer.alloc(0);
  const texts = stream ? readSse(body).events.map(({ data }) => data) : [body.toString('utf8')];
  return texts.flatMap((text) => {
    const { model, modelVersion, message } = objectOf(parseJson(text));
    const name = model ?? modelVersion ?? objectOf(message).model;
    return typeof name === 'string' ? [name] : [];
  });
}
