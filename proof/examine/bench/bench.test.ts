import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { minimalProfile } from '../../../suites/profile/load-profile.ts';
import type { JobTarget } from '../../../suites/runner/run-input.ts';
import { type Bench, withBench } from './bench.ts';

const server = createServer(() => undefined).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
afterAll(() => server.close());

/** A gateway that never answers: a check on it hangs until it is abandoned. */
const silent = (id: string): JobTarget => ({
  ...{ id, stack: 'main', pool: 'main', models: ['alpha-5-2'], mediaModels: [] },
  profile: minimalProfile(`http://127.0.0.1:${port}`, 'sk-app-none'),
});

const { signal } = new AbortController();
const check = 'auth.header.missing';
const bench = <T>(
  work: (bench: Bench) => Promise<T>,
  more: { stuckMs?: number; signal?: AbortSignal } = {},
) => withBench({ seed: 1, width: 1, signal, onJob: () => undefined, ...more }, work);

it('abandons running and waiting jobs of a withdrawn gateway', async () => {
  const seen = await bench(async ({ judge, withdraw }) => {
    const asked = [judge(silent('one'), check), judge(silent('one'), check)];
    withdraw(silent('one'));
    return Promise.all(asked);
  });
  expect(seen).toEqual([null, null]);
});

it('names a job that never ends', async () => {
  const work = bench(({ judge }) => judge(silent('one'), check), { stuckMs: 5 });
  await expect(work).rejects.toThrow(`without an end: ${check} on one`);
});
