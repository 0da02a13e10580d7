import { afterEach, expect, it } from 'vitest';
import { type Hostile, hostile } from '../cli/testing/hostile-servers.ts';
import { type FakeHook, startFakeHook } from '../testing/fake-hook.ts';
import { boundedCall } from './bounded-call.ts';

const servers: (Hostile | FakeHook)[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function open<Server extends Hostile | FakeHook>(server: Promise<Server>): Promise<string> {
  const opened = await server;
  servers.push(opened);
  return opened.url;
}

it.each(['an endless answer', 'an answer of 1 GB'] as const)(
  'rejects %s when the answer is too long',
  async (what) => {
    const call = boundedCall(await open(hostile[what]()), { method: 'GET' });
    await expect(call).rejects.toThrow(/^more than \d+ bytes of answer$/);
  },
);

it.each(['one byte a second', 'no answer'] as const)('rejects %s when the time is up', async (what) => {
  const call = boundedCall(await open(hostile[what]()), { method: 'POST', body: '{}', withinMs: 200 });
  await expect(call).rejects.toThrow('no whole answer within 200 ms');
});

it('returns the answer, and passes on transport errors and the reason of an abort', async () => {
  const hook = await open(startFakeHook(() => ({ status: 409, body: 'busy' })));
  expect(await boundedCall(hook, { method: 'GET' })).toEqual({ status: 409, text: 'busy' });
  await expect(boundedCall('http://127.0.0.1:1', { method: 'GET' })).rejects.toThrow('ECONNREFUSED');
  const signal = AbortSignal.abort(new Error('interrupted'));
  await expect(boundedCall(hook, { method: 'GET', signal })).rejects.toThrow('interrupted');
});
