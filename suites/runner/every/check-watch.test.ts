import { expect, it } from 'vitest';
import type { TestKey } from '../../engine/test-accounts.ts';
import { profileSchema } from '../../profile/profile.ts';
import { answeredByCode } from '../../testing/sample-exchange.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { CheckWatch } from './check-watch.ts';

const made = 'sk-app-made';

/** A deployment whose accounts nobody can read. */
const profile = profileSchema.parse({
  base_url: 'http://127.0.0.1:1',
  keys: { K1: 'sk-app-1' },
  hooks: { balance: { url: 'http://127.0.0.1:1/balance' } },
  pricing: { models: {} },
  tenants: [{ name: 'one', keys: { K1: 'sk-app-1' } }],
});

function chatBy(key: string): Exchange {
  const sample = answeredByCode(200);
  const body = Buffer.from(
    JSON.stringify({ model: 'alpha-5-2', messages: [{ role: 'user', content: 'Hi.' }] }),
  );
  const url = 'http://127.0.0.1:1/api/v1/chat/completions';
  return { ...sample, request: { method: 'POST', url, headers: [['authorization', `Bearer ${key}`]], body } };
}

it('keeps what exchanges show when an account cannot be read at the end', async () => {
  const account = { paidIn: 1n };
  const key = { id: '1', secret: made, user: 'u', cap: 3, isPlain: true, markups: [], account } as TestKey;
  const watch = new CheckWatch({
    profile,
    clock: { timeAt: (ms: number) => ({ min: ms, max: ms }), realAt: (ms: number) => ({ min: ms, max: ms }) },
    tenants: [{ name: 'one', channels: {}, keys: profile.keys, webhooks: { watchedSoFar: null } }],
    simulators: null,
    conceal: (text: string) => text,
    signal: new AbortController().signal,
    mayAsk: () => true,
    madeKey: (secret: string) => (secret === made ? key : undefined),
  });
  await watch.begin();
  watch.saw(chatBy(made));
  const { judged } = await watch.conclude();
  expect(judged.filter(({ findings }) => findings.length > 0).map(({ row }) => row)).toContain('chat');
});
