import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { answeredWith } from '../testing/sample-exchange.ts';
import type { Exchange } from '../wire/exchange.ts';
import { usageRecordsOf } from './usage-record.ts';

const record = {
  request_id: 'r/1',
  model_requested: 'beta-mid-4-5',
  model_served: 'beta-mid-4-5',
  outcome: 'success',
  stream: false,
  attempts: 1,
  prompt_tokens: 12,
  completion_tokens: 3,
  cached_tokens: 1,
  cache_write_5m_tokens: 2,
  cache_write_1h_tokens: 3,
  usage_known: true,
};
const http = { request_id: 'x-request-id', headers: {} };
let answer: unknown;
let status: number;
const server = createServer((_, outgoing) => {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());
beforeEach(() => {
  answer = { records: [record] };
  status = 200;
});

const read = (exchange: Exchange) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/usage`;
  return usageRecordsOf(exchange, { http, hooks: { usage: { url, token: 'hook-token' } } });
};

it.for([
  ['a refusal', 500, { records: [] }],
  ['no list', 200, {}],
  ['a record without a count', 200, { records: [{ ...record, cached_tokens: null }] }],
  ['a count below zero', 200, { records: [{ ...record, prompt_tokens: -1 }] }],
] as const)('reports %s as a fault of the hook', async ([, code, body]) => {
  [status, answer] = [code, body];
  await expect(read(answeredWith(['x-request-id', 'r/1']))).rejects.toThrow('the usage hook answered HTTP');
});

it('waits for a record that is posted late', async () => {
  answer = { records: [] };
  setTimeout(() => {
    answer = { records: [record] };
  }, 120);
  expect(await read(answeredWith(['x-request-id', 'r/1']))).toEqual([record]);
});

it('is untestable for an answer without a request id', async () => {
  await expect(read(answeredWith())).rejects.toThrow('http.request_id: an answer without x-request-id');
});

it('is untestable on a deployment without the hook', async () => {
  await expect(usageRecordsOf(answeredWith(), { http, hooks: {} })).rejects.toThrow('hooks.usage');
});
