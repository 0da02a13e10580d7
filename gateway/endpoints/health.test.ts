import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { drain } from '../drain.ts';
import { NoWrites } from '../store/write-check.ts';
import { startTestGateway, type TestGateway, testConfig } from '../testing/test-gateway.ts';
import { type Answer, read } from '../testing/wire.ts';
import { createReadiness } from './health.ts';

const config = testConfig('http://127.0.0.1:9', { listen: { leave_ms: 5_000 } });
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway(config);
});
afterAll(() => gateway.close());

const ask = (path: string): Promise<Answer> => read(`${gateway.url}${path}`);

it('reports to every caller that it is alive and ready, without caching', async () => {
  const [alive, ready] = [await ask('/healthz'), await ask('/readyz')];
  expect([alive.status, alive.json, ready.status, ready.json]).toEqual([
    ...[200, { status: 'ok' }],
    ...[200, { status: 'ready' }],
  ]);
  expect(ready.headers['cache-control']).toBe('no-store');
  expect((await read(`${gateway.url}/readyz`, { method: 'POST', body: {} })).status).toBe(405);
});

it('is not ready without its database, which it queries at most twice a second', async () => {
  const clock = new TestClock();
  let asked = 0;
  let isThere = false;
  const readiness = createReadiness(
    async () => {
      asked += 1;
      if (!isThere) throw new Error('no connection');
    },
    clock,
    0,
  );
  expect(await Promise.all([readiness.reasons(), readiness.reasons()])).toEqual([['database'], ['database']]);
  isThere = true;
  expect(await readiness.reasons()).toEqual(['database']);
  expect(asked).toBe(1);
  await clock.advance(500);
  expect(await readiness.reasons()).toEqual([]);
  expect(asked).toBe(2);
});

it('is not ready when the database is read-only', async () => {
  const ask = () => Promise.reject(new NoWrites('the disk is full'));
  expect(await createReadiness(ask, new TestClock(), 0).reasons()).toEqual(['writes']);
});

it('is not ready where the database does not answer in time', async () => {
  const clock = new TestClock();
  const readiness = createReadiness(() => new Promise(() => {}), clock, 0);
  const reasons = readiness.reasons();
  await clock.advance(1_000);
  expect(await reasons).toEqual(['database']);
});

it('stays alive but not ready while leaving, serves for the configured time, then accepts no connections', async () => {
  const drained = drain(gateway.app);
  const ready = await ask('/readyz');
  expect([ready.status, ready.json]).toEqual([503, { status: 'not_ready', reasons: ['draining'] }]);
  expect((await ask('/healthz')).status).toBe(200);
  const refused = await ask('/api/v1/models');
  // The answer closes the connection, so that the caller does not reuse it.
  expect([refused.status, refused.headers.connection]).toEqual([401, 'close']);
  await gateway.clock.advance(5_000);
  await expect.poll(() => gateway.app.server.listening).toBe(false);
  await gateway.clock.advance(1_000);
  await drained;
});
