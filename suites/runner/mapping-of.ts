import { type Json, objectOf } from '../oracle/native/json.ts';
import { isJsonObject, parseJson } from '../values/json.ts';
import type { Exchange } from '../wire/exchange.ts';
import { errorCodeOf, jsonOf } from '../wire/exchange.ts';

/**
 * How the names of a check were translated on the wire, one line each: `model: alpha-5-2 is acme-large`. Empty when nothing
 * was translated.
 */
export function mappingOf(exchange: Exchange): string[] {
  const { carried, request } = exchange;
  if (carried === undefined) return [];
  const asked = objectIn(request.body);
  const sent = objectIn(carried.request.body);
  const answered = carried.answer === null ? {} : objectIn(carried.answer.body);
  const names = (body: Record<string, unknown>, other: Record<string, unknown>): string =>
    Object.keys(body)
      .filter((name) => !Object.hasOwn(other, name))
      .join(', ');
  return [
    line('path', pathOf(request.url), pathOf(carried.request.url)),
    line('model', asked.model, sent.model),
    line('members', names(asked, sent), names(sent, asked)),
    line('status', exchange.response?.status, carried.answer?.status),
    line('code', errorCodeOf(exchange), isJsonObject(answered.error) ? answered.error.code : undefined),
    ...(answered.model === undefined
      ? []
      : [line('model of the answer', modelIn(jsonOf(exchange)), answered.model)]),
  ].flat();
}

function line(what: string, ours: unknown, theirs: unknown): string[] {
  const isSame = ours === theirs || (ours === undefined && theirs === undefined) || ours === '';
  return isSame ? [] : [`${what}: ${String(ours ?? 'none')} is ${String(theirs ?? 'none')}`];
}

function modelIn(body: unknown): unknown {
  return isJsonObject(body) ? body.model : undefined;
}

function objectIn(body: Buffer): Json {
  return objectOf(parseJson(body.toString('utf8')));
}

function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/\?.*$/s, '');
}
