import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { addProcessMetrics } from '../metrics/metrics.ts';
import { adminToken, startTestGateway, type TestGateway, testKey } from '../testing/test-gateway.ts';
import { twoEndsOfFile } from '../testing/two-ends.ts';
import { type Answer, read } from '../testing/wire.ts';

let gateway: TestGateway;
twoEndsOfFile(startTestGateway, {}, (ends) => {
  ({ gateway } = ends);
});

const metrics = (key?: string): Promise<Answer> =>
  read(`${gateway.url}/metrics`, key === undefined ? {} : { key });

it('requires an admin token', async () => {
  expect((await metrics()).json.error.code).toBe('invalid_api_key');
  expect((await metrics(testKey)).json.error.code).toBe('admin_token_required');
  const { status, headers } = await metrics(adminToken);
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    'no-store',
  ]);
});

it('counts requests by route and code, and adds no label for made-up paths and keys', async () => {
  await gateway.chat({ model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] });
  await gateway.chat({ model: 'nothing', messages: [] });
  for (let n = 0; n < 20; n += 1) await read(`${gateway.url}/made-up-${n}`, { key: `made-up-${n}` });
  await read(`${gateway.url}/api/admin/slots`, { key: 'made-up' });
  const { text } = await metrics(adminToken);
  const route = '/api/v1/chat/completions';
  expect(text).toContain(`gatecheck_requests_total{route="${route}",code="ok"} 1\n`);
  expect(text).toContain('gatecheck_requests_total{route="none",code="not_found"} 20\n');
  expect(text).toContain(`gatecheck_request_seconds_count{route="${route}"} 2\n`);
  expect(text).toContain('gatecheck_admin_token_guesses_total 1\n');
  expect(text).not.toContain('made-up');
});

it('counts dropped log lines, and reports the event loop delay', async () => {
  const registry = new Registry();
  let dropped = 3;
  addProcessMetrics(registry, () => dropped);
  expect(await registry.metrics()).toContain('gatecheck_log_lines_dropped_total 3\n');
  dropped = 5;
  const text = await registry.metrics();
  expect(text).toContain('gatecheck_log_lines_dropped_total 5\n');
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
});
