import { afterAll, beforeAll, expect, it } from 'vitest';
import { declaredCharge } from '../engine/declared-price.ts';
import { Meter } from '../engine/meter.ts';
import { TestAccounts } from '../engine/test-accounts.ts';
import { usageRecordsOf } from '../engine/usage-record.ts';
import { picoIn } from '../oracle/money.ts';
import { createWireClient, type WireClient } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import { type Stack, startStack } from './stack.ts';

let stack: Stack;
let client: WireClient;
let accounts: TestAccounts;
let meter: Meter;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 1 });
  const { profile } = stack;
  client = createWireClient(profile);
  const common = { profile, mainKey: profile.keys.K1, signal: new AbortController().signal };
  meter = new Meter(common);
  accounts = new TestAccounts({ ...common, onKey: () => undefined });
});
afterAll(async () => {
  await client?.close();
  await stack?.stop();
});

const models = ['beta-mid-4-5', 'alpha-5-codex', 'delta-3'] as const;

async function ask(key: string, model: string, stream = false): Promise<Exchange> {
  return client.send({
    method: 'POST',
    path: '/api/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    body: { model, messages: [{ role: 'user', content: 'Count this.' }], user: 'u-1', stream },
  });
}

it.for(['K1', 'K5'] as const)(
  'the stack charges %s what its profile declares, and every hook reports the same',
  async (name) => {
    const key = stack.profile.keys[name] ?? '';
    for (const model of models) {
      const before = await meter.balance(key);
      const exchange = await ask(key, model);
      const charge = await meter.chargeOf(exchange);
      expect(before - (await meter.balance(key))).toBe(charge);
      const [record] = await usageRecordsOf(exchange, stack.profile);
      if (record === undefined) throw new Error('no record of the call');
      expect(picoIn(record.charge ?? '')).toBe(charge);
      expect(record.end_user).toBe('u-1');
      expect(declaredCharge(stack.profile, record.model_served, record, name)).toBe(charge);
      expect(charge > 0n).toBe(true);
      const entries = await meter.entries(exchange);
      expect(entries.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
      expect(entries.some(({ kind }) => kind === 'settle')).toBe(true);
    }
  },
);

it('an account can be made whose prices, credits and quota are as wished, and be changed', async () => {
  const account = await accounts.create({ credits: '0.5', apps: [{ markup_bp: 10_000 }] });
  const exchange = await ask(account.key, 'delta-3');
  const charge = await meter.chargeOf(exchange);
  const [record] = await usageRecordsOf(exchange, stack.profile);
  if (record === undefined) throw new Error('no record of the call');
  expect(declaredCharge(stack.profile, 'delta-3', record, { bp: 10_000 })).toBe(charge);
  expect(await meter.account(account.key)).toEqual({
    balance: 500_000_000_000n - charge,
    tokensUsed: record.prompt_tokens + record.completion_tokens,
    monthlyTokens: null,
  });
  await account.change({ monthly_tokens: 1, grant: '1' });
  expect((await ask(account.key, 'delta-3')).response?.status).toBe(429);
  expect((await meter.account(account.key)).balance).toBe(1_500_000_000_000n - charge);
  await account.change({ monthly_tokens: null });
  expect((await ask(account.key, 'delta-3')).response?.status).toBe(200);
});
