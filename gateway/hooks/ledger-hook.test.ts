import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LedgerEntry } from '../billing/ledger-reader.ts';
import {
  hookToken,
  startTestGateway,
  type TestGateway,
  testConfig,
  testKey,
} from '../testing/test-gateway.ts';
import { type Answer, read } from '../testing/wire.ts';

const entry = (kind: LedgerEntry['kind'], book: LedgerEntry['book'], amount: bigint): LedgerEntry => ({
  id: 1n,
  transferId: kind === 'hold' ? 'hold:req_1' : 'end:req_1',
  kind,
  accountId: 'acc',
  book,
  amount,
  requestId: 'req_1',
  note: null,
  postedAtMs: 0,
});
const entries = [
  entry('hold', 'credits', -5_000_000_000n),
  entry('hold', 'held', 5_000_000_000n),
  entry('settle', 'held', -5_000_000_000n),
  entry('settle', 'credits', 3_749_999_999n),
  entry('settle', 'revenue', 1_250_000_001n),
  entry('correction', 'revenue', -1n),
];

let gateway: TestGateway;
beforeAll(async () => {
  const config = testConfig('http://127.0.0.1:1', { test: { ledger: true, token: hookToken } });
  gateway = await startTestGateway(config, {
    ledgerReader: {
      ofRequest: async (id) => (id === 'req_1' ? entries : []),
      ofAccount: async () => [],
      balances: async () => null,
    },
  });
});
afterAll(() => gateway.close());

const ledger = (query: string, key = hookToken): Promise<Answer> =>
  read(`${gateway.url}/hooks/ledger${query}`, { key });

it('shows the ledger entries of a request and its charge, in dollars', async () => {
  expect((await ledger('?request_id=req_1')).json).toEqual({
    entries: [
      { id: 'hold:req_1', kind: 'hold', book: 'credits', amount: '-0.005', request_id: 'req_1' },
      { id: 'hold:req_1', kind: 'hold', book: 'held', amount: '0.005', request_id: 'req_1' },
      { id: 'end:req_1', kind: 'settle', book: 'held', amount: '-0.005', request_id: 'req_1' },
      { id: 'end:req_1', kind: 'settle', book: 'credits', amount: '0.003749999999', request_id: 'req_1' },
      { id: 'end:req_1', kind: 'settle', book: 'revenue', amount: '0.001250000001', request_id: 'req_1' },
      {
        id: 'end:req_1',
        kind: 'correction',
        book: 'revenue',
        amount: '-0.000000000001',
        request_id: 'req_1',
      },
    ],
    charge: '0.00125',
  });
});

it('shows no entries for an unknown request', async () => {
  expect(await ledger('?request_id=req_2')).toMatchObject({
    status: 200,
    json: { entries: [], charge: '0' },
  });
});

it.for(['', '?request_id=', '?request_id=a&request_id=b', '?id=a'])('rejects the query %j', async (query) => {
  expect(await ledger(query)).toMatchObject({
    status: 400,
    json: { error: { code: 'invalid_param', param: 'request_id' } },
  });
});

it('requires the hook token and allows only GET', async () => {
  expect((await ledger('?request_id=a', testKey)).json.error.code).toBe('invalid_api_key');
  const posted = await read(`${gateway.url}/hooks/ledger`, { method: 'POST', key: hookToken });
  expect(posted).toMatchObject({ status: 405, headers: { allow: 'GET' } });
});

it('does not exist unless the configuration enables it', async () => {
  const plain = await startTestGateway(testConfig('http://127.0.0.1:1'));
  expect((await read(`${plain.url}/hooks/ledger?request_id=a`, { key: hookToken })).status).toBe(404);
  await plain.close();
});
