import { expect, it, onTestFinished } from 'vitest';
import { Untestable } from '../rules/violation.ts';
import { startFakeHook } from '../testing/fake-hook.ts';
import { callHook } from './call-hook.ts';

it('a hook that refuses its token leaves the check without a verdict, and is named', async () => {
  const hook = await startFakeHook(() => ({ status: 401, body: {} }));
  onTestFinished(() => hook.close());
  const asked = callHook({ name: 'clock', url: hook.url, token: 'wrong' });
  await expect(asked).rejects.toThrow(Untestable);
  await expect(asked).rejects.toThrow('the clock hook answered HTTP 401');
});

it('a hook that is not there does the same', async () => {
  const hook = await startFakeHook(() => ({ body: {} }));
  await hook.close();
  const asked = callHook({ name: 'balance', url: hook.url, token: 'any' });
  await expect(asked).rejects.toThrow(Untestable);
});
