import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountBalances } from '../billing/ledger-reader.ts';
import {
  otherKey,
  startTestGateway,
  type TestGateway,
  testConfig,
  testKey,
} from '../testing/test-gateway.ts';
import { type Answer, read } from '../testing/wire.ts';

const spent: AccountBalances = {
  posted: -1_500_000_000_000n,
  held: 7n,
  prepaid: true,
  month: '2026-11',
  tokensUsed: 12n,
  monthlyTokens: 12n,
};
const asked: [string, number][] = [];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway(testConfig('http://127.0.0.1:1'), {
    ledgerReader: {
      ofRequest: async () => [],
      ofAccount: async () => [],
      balances: async (accountId, atMs) => {
        asked.push([accountId, atMs]);
        return accountId === 'acc' ? spent : null;
      },
    },
  });
});
afterAll(() => gateway.close());

const balance = (key?: string): Promise<Answer> =>
  read(`${gateway.url}/api/v1/balance`, { ...(key !== undefined && { key }) });

it('shows what the account has left, even when that is below zero', async () => {
  const answer = await balance(testKey);
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
  expect(answer.json).toEqual({ balance: '-1.5', tokens_used: 12, monthly_tokens: 12 });
  expect(asked.at(-1)?.[0]).toBe('acc');
});

it('reports zeros and no limit for an account without ledger entries', async () => {
  expect((await balance(otherKey)).json).toEqual({ balance: '0', tokens_used: 0, monthly_tokens: null });
});

it('uses the month of the gateway clock', async () => {
  await gateway.clock.advance(40 * 86_400_000);
  await balance(testKey);
  expect(asked.at(-1)?.[1]).toBeGreaterThan(Date.now() + 39 * 86_400_000);
});

it('answers while every slot of the user is taken', async () => {
  const slots = await Promise.all([1, 2, 3].map(() => gateway.app.slots.take('usr', 3)));
  expect((await read(`${gateway.url}/api/v1/models`, { key: testKey })).status).toBe(429);
  expect((await balance(testKey)).status).toBe(200);
  await Promise.all(slots.map((slot) => slot?.release()));
});
