import { expect, it } from 'vitest';
import type { Exchange } from '../wire/exchange.ts';
import { mappingOf } from './mapping-of.ts';

const said = (url: string, request: object, status: number, answer: object) => ({
  request: { method: 'POST', url: `http://h${url}`, headers: [], body: Buffer.from(JSON.stringify(request)) },
  response: { status, headers: [], body: Buffer.from(JSON.stringify(answer)) },
});

it('names the differences on the wire, and nothing else', () => {
  const ours = said('/api/v1/x', { model: 'delta-3', max_tokens: 1 }, 401, { error: { code: 'sk_expired' } });
  const theirs = said('/v1/x', { model: 'acme', most: 1 }, 403, { error: { code: 7 } });
  const exchange = { ...ours, carried: { request: theirs.request, answer: theirs.response } };
  expect(mappingOf(exchange as unknown as Exchange)).toEqual([
    'path: /api/v1/x is /v1/x',
    'model: delta-3 is acme',
    'members: max_tokens is most',
    'status: 401 is 403',
    'code: sk_expired is 7',
  ]);
  const same = { ...ours, carried: { request: ours.request, answer: ours.response } };
  expect([ours, same].map((one) => mappingOf(one as unknown as Exchange))).toEqual([[], []]);
});
