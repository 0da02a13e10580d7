import { protocolOf } from '../oracle/exchange/call.ts';
import type { Profile } from '../profile/profile.ts';
import type { Translation } from '../profile/translation.ts';
import type { Exchange } from '../wire/exchange.ts';
import { readAnswer } from '../wire/translate-answer.ts';

/** A passing call or event, translated into the specification's names if the profile has a dialect. */
export function inSpecifiedWords(exchange: Exchange, profile: Profile | null): Exchange {
  const { translation } = profile ?? {};
  if (profile === null || translation?.specified === undefined) return exchange;
  const { origin, pathname, search } = new URL(exchange.request.url);
  const base = new URL(profile.base_url).pathname.replace(/\/+$/, '');
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname;
  const asked = translation.specified({ ...exchange.request, path: path + search });
  const request = { ...asked, url: origin + base + asked.path };
  const carried = { request: exchange.request, answer: exchange.response };
  if (protocolOf({ request }) !== null)
    return { ...exchange, request, response: readIn(translation, asked, exchange.response), carried };
  if (translation.event === undefined || exchange.request.method !== 'POST') return exchange;
  return { ...exchange, request: { ...exchange.request, ...translation.event(exchange.request) }, carried };
}

function readIn(
  translation: Translation,
  asked: Parameters<Translation['request']>[0],
  response: Exchange['response'],
): Exchange['response'] {
  if (response === null) return null;
  const reader = readAnswer(translation, asked, response);
  const early = reader.push(response.body);
  const { head, rest } = response.complete ? reader.end() : reader.broken();
  return { ...response, ...head, body: Buffer.concat([...early, ...rest]) };
}
