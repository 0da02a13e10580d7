import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Untestable } from '../../rules/violation.ts';
import { createTestParts } from '../../testing/create-test-parts.ts';
import { type FakeHook, startFakeHook } from '../../testing/fake-hook.ts';
import { answeredWith } from '../../testing/sample-exchange.ts';
import type { WireClient, WireRequest } from '../../wire/client.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

const made = {
  account: 'acc-1',
  users: ['u-1', 'u-2'],
  apps: ['app-1'],
  keys: [
    { id: 'k-1', secret: 'sk-app-made-1' },
    { id: 'k-2', secret: 'sk-app-made-2' },
  ],
};
let hook: FakeHook;
let answer: { status?: number; body: unknown };
beforeAll(async () => {
  hook = await startFakeHook(() => answer);
});
afterAll(() => hook.close());
beforeEach(() => {
  answer = { status: 201, body: made };
});

const keys = { K1: 'sk-app-1', no_credits: 'sk-app-spent', fuse: 'sk-app-fuse' };

/** Parts whose calls end on `release`, and the number of calls that were open at once. */
function partsWith({ hasHook = true }: { hasHook?: boolean } = {}) {
  const open: string[] = [];
  const waiting: (() => void)[] = [];
  const client = {
    open: (request: WireRequest): LiveExchange => {
      open.push(request.headers?.authorization ?? '');
      const done = new Promise<void>((resolve) => waiting.push(resolve)).then(() => answeredWith());
      return { done } as unknown as LiveExchange;
    },
  } as unknown as WireClient;
  const hooks = hasHook ? { accounts: { url: hook.url, token: 'hook-token' } } : {};
  const release = (): void => {
    for (const next of waiting.splice(0)) next();
  };
  return { ...createTestParts({ keys, hooks }, { client }), opened: open, release };
}

it('hides the keys of created accounts in reports', async () => {
  const { accounts, record } = partsWith();
  await accounts.create();
  expect(record.concealed).toEqual([
    ['sk-app-made-1', '$GATECHECK_KEY_MADE'],
    ['sk-app-made-2', '$GATECHECK_KEY_MADE'],
  ]);
});

it('keeps a created user one call below its cap, over all of its keys', async () => {
  const { http, accounts, opened, release } = partsWith();
  const account = await accounts.create({ users: [{ cap: 5 }, {}], keys: [{}, {}] });
  const sent = Array.from({ length: 8 }, (_, index) =>
    http.chat({ model: 'm' }, { key: account.keyAt(index % 2) }),
  );
  const own = http.chat({ model: 'm' });
  expect(opened).toHaveLength(4 + 1);
  expect(opened.at(-1)).toBe('Bearer sk-app-1');
  const tick = setInterval(release, 1);
  await Promise.all([...sent, own]);
  clearInterval(tick);
  expect(opened).toHaveLength(8 + 1);
});

it('recovers models degraded by a created account with the main key', async () => {
  const { http, accounts, release, degraded } = partsWith();
  const account = await accounts.create();
  degraded.noteScript([{ status: 500 }]);
  const sent = http.chat({ model: 'alpha-5-2' }, { key: account.key });
  release();
  await sent;
  expect(degraded.models).toEqual([{ key: 'sk-app-1', model: 'alpha-5-2' }]);
});

it('makes an account for a spent key, else uses the key of the profile', async () => {
  const { accounts } = partsWith();
  expect(await accounts.spentKey('quota')).toBe('sk-app-made-1');
  expect(hook.asked.at(-1)?.body).toEqual({ like: 'sk-app-1', credits: '1000', monthly_tokens: 0 });
  const plain = partsWith({ hasHook: false }).accounts;
  expect([await plain.spentKey('credits'), await plain.fuseKey('0.01')]).toEqual([
    'sk-app-spent',
    'sk-app-fuse',
  ]);
  await expect(plain.spentKey('quota')).rejects.toEqual(new Untestable('spent'));
});

it('cannot make an account without the hook', async () => {
  await expect(partsWith({ hasHook: false }).accounts.create()).rejects.toEqual(
    new Untestable('hooks.accounts'),
  );
});

it.for([
  ['a refusal', { status: 400, body: made }],
  ['an account without keys', { status: 201, body: { ...made, keys: [] } }],
] as const)('reports %s as a fault of the hook', async ([, wrong]) => {
  answer = wrong;
  await expect(partsWith().accounts.create()).rejects.toThrow('the accounts hook answered HTTP');
});
