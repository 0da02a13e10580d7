import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SimulatorControl } from 'gatecheck-simulators/client';
import { request } from 'undici';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { type Child, startChild } from '../stack/child.ts';
import { runCli } from './testing/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-simulate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function scenarioFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function simulate(
  ...args: string[]
): Promise<{ child: Child; providerUrl: string; controlUrl: string }> {
  const launcher = fileURLToPath(new URL('./gatecheck.mjs', import.meta.url));
  const child = await startChild({ name: 'simulate', args: [launcher, 'simulate', ...args] });
  onTestFinished(() => child.stop());
  const { provider_url: providerUrl, control_url: controlUrl } = child.ready;
  return { child, providerUrl: String(providerUrl), controlUrl: String(controlUrl) };
}

async function ask(providerUrl: string, key: string): Promise<number> {
  const { statusCode, body } = await request(`${providerUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'a52-2026-08-07', messages: [{ role: 'user', content: 'Hello.' }] }),
  });
  await body.dump();
  return statusCode;
}

it('prints its addresses, plays the scenario to every scope, obeys the control API, and exits with 0', async () => {
  const text = `
name: two-teams
seed: 5
scopes: [{ scope: team-a, when: { key: sk-of-team-a } }]
channels:
  '*': { phases: [{ name: down, faults: [{ reply: { status: 503 } }] }] }
`;
  const { child, providerUrl, controlUrl } = await simulate(scenarioFile('two.yaml', text), '--test-clock');
  const control = new SimulatorControl(controlUrl);
  onTestFinished(() => control.close());
  expect([await ask(providerUrl, 'sk-of-team-a'), await ask(providerUrl, 'sk-another')]).toEqual([503, 503]);
  await control.tenant('team-a').step();
  expect([await ask(providerUrl, 'sk-of-team-a'), await ask(providerUrl, 'sk-another')]).toEqual([200, 503]);
  await control.tenant('team-a').reset();
  expect(await control.tenant('team-a').scenario()).toMatchObject({
    name: 'two-teams',
    seed: 5,
    began_at_ms: null,
  });
  expect(await ask(providerUrl, 'sk-of-team-a')).toBe(503);
  const [entry] = (await control.tenant('team-a').journal({ ended: 1 })).entries;
  expect(JSON.stringify(entry)).not.toContain('sk-of-team-a');
  expect((await control.advance(1000)).now_ms).toBeGreaterThan(0);
  await child.stop();
  expect(await child.ended).toBe(0);
  await expect(ask(providerUrl, 'sk-another')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('rejects an invalid scenario with exit code 2 and names file, line and column', async () => {
  const path = scenarioFile(
    'bad.yaml',
    "name: bad\nchannels:\n  '*': { flapping: { ok: 1, failing: 1, replay: {} } }\n",
  );
  const { code, stderr } = await runCli(['simulate', path]);
  expect(code).toBe(2);
  expect(stderr).toContain(`${path}:3:41: channels.*.flapping.replay: unknown member`);
});

it('rejects a missing file and a port in use with exit code 2', async () => {
  const { providerUrl } = await simulate();
  const [missing, taken] = await Promise.all([
    runCli(['simulate', join(folder, 'none.yaml')]),
    runCli(['simulate', '--port', new URL(providerUrl).port]),
  ]);
  expect([missing.code, taken.code]).toEqual([2, 2]);
  expect(missing.stderr).toContain('there is no such file');
  expect(taken.stderr).toContain('EADDRINUSE');
});
