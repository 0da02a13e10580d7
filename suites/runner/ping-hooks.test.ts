import { afterEach, expect, it } from 'vitest';
import { type Profile, profileSchema } from '../profile/profile.ts';
import { type FakeHook, startFakeHook } from '../testing/fake-hook.ts';
import { pingHooks } from './ping-hooks.ts';

let hook: FakeHook;
afterEach(() => hook.close());

const names = ['clock', 'store', 'usage', 'ledger', 'accounts'] as const;

async function profileWith(statusOf: (path: string, method: string) => number): Promise<Profile> {
  hook = await startFakeHook(({ path, method }) => ({ status: statusOf(path, method), body: {} }));
  const at = (path: string) => hook.url.replace('/hook', path);
  return profileSchema.parse({
    base_url: 'http://127.0.0.1:1',
    keys: { K1: 'sk-app-1' },
    hooks: {
      ...Object.fromEntries(names.map((name) => [name, { url: at(`/${name}`), token: `token-${name}` }])),
      balance: { url: at('/balance') },
    },
    admin: { token: 'admin-1', url: at('/admin') },
  });
}

it('keeps hooks that answer, and calls each with its own token and without changing anything', async () => {
  const profile = await profileWith((_path, method) => (method === 'POST' ? 400 : 200));
  expect(await pingHooks(profile)).toEqual({ kept: profile, lost: [] });
  expect(hook.asked.map(({ path, authorization, body }) => [path, authorization, body])).toEqual([
    ['/clock', 'Bearer token-clock', undefined],
    ['/store', 'Bearer token-store', undefined],
    ['/usage?request_id=none', 'Bearer token-usage', undefined],
    ['/ledger?request_id=none', 'Bearer token-ledger', undefined],
    ['/balance', 'Bearer sk-app-1', undefined],
    ['/accounts', 'Bearer token-accounts', {}],
    ['/admin', 'Bearer admin-1', undefined],
  ]);
});

it('removes a hook that answers wrongly, and gives the reason', async () => {
  const profile = await profileWith((path) => (path.startsWith('/ledger') ? 200 : 401));
  const { kept, lost } = await pingHooks(profile);
  expect(Object.keys(kept.hooks)).toEqual(['ledger']);
  expect(kept.admin).toBeUndefined();
  expect(lost.map((text) => text.split(':')[0])).toEqual([
    'hooks.clock',
    'hooks.store',
    'hooks.usage',
    'hooks.balance',
    'hooks.accounts',
    'admin',
  ]);
  expect(lost.every((text) => text.endsWith('answers 401'))).toBe(true);
});
