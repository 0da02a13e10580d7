import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { expect, it, onTestFinished, vi } from 'vitest';
import { parse } from 'yaml';
import { startChild } from '../stack/child.ts';

async function ask(url: string, key: string, body?: object): Promise<unknown> {
  const answer = await request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  expect(answer.statusCode, text).toBe(200);
  return JSON.parse(text);
}

it('up --ui serves the console next to the gateway, with its delivered events', {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-console-'));
  const target = join(folder, 'target.yaml');
  const launcher = fileURLToPath(new URL('./gatecheck.mjs', import.meta.url));
  const up = await startChild({ name: 'up', args: [launcher, 'up', '--ui', '--target-out', target] });
  onTestFinished(async () => {
    await up.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const { base_url: gateway, console_url: page, webhook_url: webhook } = up.ready as Record<string, string>;
  const { origin, hash } = new URL(page ?? '');
  const token = hash.replace('#token=', '');
  expect((await request(`${origin}/console/`)).statusCode).toBe(200);
  const profile = parse(readFileSync(target, 'utf8')) as { keys: { K1: string } };
  await ask(`${gateway}/api/v1/tasks`, profile.keys.K1, {
    model: 'vidB2',
    prompt: 'The sea',
    webhook_url: webhook,
  });
  const deliveries = await vi.waitFor(
    async () => {
      const told = (await ask(`${origin}/console/api/events`, token)) as { deliveries: unknown[] };
      expect(told.deliveries).not.toEqual([]);
      return told.deliveries;
    },
    { timeout: 30_000, interval: 100 },
  );
  expect(deliveries[0]).toMatchObject({ inbox: 'console', type: 'task.success', signature: { ok: true } });
  const { jobs } = (await ask(`${origin}/console/api/tenants/default`, token)) as { jobs: unknown[] };
  expect(jobs).toMatchObject([{ status: 'success', channel: 'video' }]);
});
