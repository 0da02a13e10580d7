import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readReport, runCli } from '../cli/testing/run-cli.ts';
import { allExtensions } from './config.ts';
import { type Stack, startStack } from './stack.ts';

/** The checks whose calls come close to the extensions. */
const near = [
  ...['EP', 'RESP', 'chat.unknown-field', 'chat.field.max-tokens', 'msg.form.role', 'sse.shape'],
  ...['faces.paths', 'compa.version', 'compa.usage'],
].join(',');

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-extensions-'));
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 4, extensions: allExtensions });
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true });
});

const headers = (): Record<string, string> => {
  const { K1 = '' } = stack.profile.keys;
  return {
    ...{ authorization: `Bearer ${K1}`, 'x-api-key': K1 },
    ...{ 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
  };
};
const ask = async (path: string, body?: object): Promise<{ status: number; json: object }> => {
  const answer = await fetch(stack.baseUrl + path, {
    headers: headers(),
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as object };
};

it('the gateway offers all extensions', async () => {
  const messages = [{ role: 'user', content: 'Hello.' }];
  const chat = { model: 'delta-3', messages, max_completion_tokens: 50 };
  const developer = { ...chat, messages: [{ role: 'developer', content: 'Be short.' }, ...messages] };
  expect(await ask('/api/v1/chat/completions', developer)).toMatchObject({
    status: 200,
    json: { usage: { completion_tokens_details: { reasoning_tokens: 0 } } },
  });
  expect(await ask('/api/v1/models/delta-3')).toMatchObject({ status: 200, json: { id: 'delta-3' } });
  const counted = await ask('/compat-a/v1/messages/count_tokens', { model: 'beta-large-4-5', messages });
  expect(counted).toEqual({ status: 200, json: { input_tokens: expect.any(Number) } });
});

it('the core checks pass with all extensions', async () => {
  const out = join(folder, 'report');
  const { code, stderr } = await runCli([
    ...['run', '--target', stack.profilePath, '--only', near, '--out', out, '--seed', '3'],
  ]);
  expect(code, stderr).toBe(0);
  const { checks } = readReport(out);
  expect(checks.length).toBeGreaterThan(20);
  const passed = checks.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed');
  expect(passed.length).toBe(checks.length);
}, 300_000);
