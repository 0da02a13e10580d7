import { flag } from '../../rules/violation.ts';
import { isJsonObject, parseJson } from '../../values/json.ts';
import { decodedPart } from '../../wire/curl.ts';
import { type Exchange, errorCodeOf, jsonOf, mediaType } from '../../wire/exchange.ts';
import type { Redact } from '../../wire/redactor.ts';
import { readSse } from '../../wire/sse.ts';
import { isErrorEvent } from '../chunk.ts';
import type { Call } from './call.ts';
import { foreignWordIn, libraryWordIn } from './foreign-words.ts';

/** The rule that nothing of an upstream's failure reaches the caller, by protocol. */
function hiddenRule(call: Call | null): string {
  if (call?.protocol === 'compatA') return 'COMPA-020';
  return call?.protocol === 'compatB' ? 'COMPB-016' : 'ERR-009';
}

/**
 * Judges that no failure contains library messages, addresses, file paths or secrets ("Errors"). Searches errors, error
 * events, failed tasks and headers.
 */
export function judgeWords(exchange: Exchange, call: Call | null, conceal: Redact): void {
  const said = sayings(exchange);
  const own = requestText(exchange);
  // A JSON parser may report the position of the error in an invalid body.
  const mayCite = (exchange.response?.status ?? 0) < 500 && exchange.response?.status !== 200;
  // A refusal for an address may name this address.
  const isOfAddress = errorCodeOf(exchange) === 'ip_not_allowed';
  for (const text of said) {
    const found = foreignWordIn(isOfAddress ? text.replaceAll(/[0-9a-f]*[:.][0-9a-f.:]+/gi, '') : text, own);
    flag(found === null || (mayCite && found.what === 'a reader of JSON'), {
      requirement: found?.isInside === true ? 'ERR-005' : hiddenRule(call),
      aspect: found?.isInside === true ? 'no-inside-words' : 'no-foreign-words',
      expected: 'the words of the service itself, for people',
      actual: `${found?.what}: ${JSON.stringify(excerptAround(text, found?.word ?? ''))}`,
      exchange,
    });
  }
  const heads = exchange.response?.headers ?? [];
  for (const [name, value] of heads) {
    const found = libraryWordIn(value, own);
    flag(found === null, {
      requirement: hiddenRule(call),
      aspect: 'no-foreign-words',
      expected: 'header fields without a trace of an upstream',
      actual: `${name}: ${value.slice(0, 160)}`,
      exchange,
    });
  }
  const secret = [...said, ...heads.map(([, value]) => value)].find((text) => conceal(text) !== text);
  flag(secret === undefined, {
    requirement: 'ERR-005',
    aspect: 'no-secret',
    expected: 'an error without any secret of the deployment',
    actual: conceal(secret ?? '').slice(0, 200),
    exchange,
  });
}

/** All texts in which an answer speaks of failures. */
export function sayings(exchange: Exchange): string[] {
  const { response } = exchange;
  if (response === null) return [];
  if (mediaType(exchange) === 'text/event-stream')
    return readSse(response.body)
      .events.map(({ data }) => parseJson(data))
      .filter(isErrorEvent)
      .flatMap(({ error }) => textsIn(error));
  const body = jsonOf(exchange);
  if (response.status >= 400) return body === undefined ? [response.body.toString('utf8')] : textsIn(body);
  return isJsonObject(body) ? textsIn(body.error) : [];
}

/** Every text in a JSON value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

/** The caller's own text, which is no leak. */
function requestText({ request: { url, body } }: Exchange): string {
  return `${decodedPart(url)}\n${body.toString('utf8')}`;
}

function excerptAround(text: string, word: string): string {
  const from = Math.max(0, text.indexOf(word) - 60);
  return text.slice(from, from + 60 + word.length + 60);
}
