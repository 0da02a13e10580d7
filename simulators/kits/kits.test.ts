import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, it as plain } from 'vitest';
import { postChat } from '../testing/post-chat.ts';
import { useUpstream } from './jest.ts';
import { test } from './vitest.ts';

describe('the helper for vitest', () => {
  test.concurrent('gives each test an upstream of its own', async ({ upstream }) => {
    upstream.on({}, 'one');
    expect((await postChat(upstream.v1, {})).text).toContain('one');
  });

  test.concurrent('gives concurrent tests their own upstreams', async ({ upstream }) => {
    upstream.on({}, 'other');
    expect((await postChat(upstream.v1, {})).text).toContain('other');
  });

  test.fails('fails a test whose script was not used', ({ upstream }) => {
    upstream.on({}, 'never asked for');
  });

  test.fails('fails a test whose request was not expected', async ({ upstream }) => {
    expect((await postChat(upstream.v1, {})).status).toBe(501);
  });
});

describe('the helper for jest, whose hooks exist in any runner', () => {
  const hooks: (() => Promise<void> | void)[] = [];
  const upstream = withHooks(hooks, useUpstream);

  plain('fails a test whose script was not used, after a test that passes', async () => {
    const [start, end] = hooks;
    await start?.();
    upstream().on({}, 'one');
    await postChat(upstream().v1, {});
    await end?.();
    expect(upstream).toThrow('while a test runs');
    await start?.();
    upstream().on({ text: 'rain' }, 'wet');
    expect(() => end?.()).toThrow(/not used: script-\d+, 0 of 1 replies taken; it matches \{"text":"rain"\}/);
  });
});

/** Calls a helper where the hooks are global, as in a file of jest. */
function withHooks(
  hooks: (() => Promise<void> | void)[],
  use: typeof useUpstream,
): ReturnType<typeof useUpstream> {
  const global = globalThis as Record<string, unknown>;
  const before = { beforeEach: global.beforeEach, afterEach: global.afterEach };
  const take = (hook: () => Promise<void> | void): number => hooks.push(hook);
  Object.assign(global, { beforeEach: take, afterEach: take });
  try {
    return use();
  } finally {
    Object.assign(global, before);
  }
}

plain('the helper for node:test fails a test whose script was not used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-kits-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const kit = fileURLToPath(new URL('node-test.ts', import.meta.url));
  const file = join(folder, 'a.test.mjs');
  writeFileSync(
    file,
    `import { test } from 'node:test';
    import { upstreamFor } from ${JSON.stringify(kit)};
    const ask = (v1) => fetch(v1 + '/chat/completions', { method: 'POST', headers: { authorization: 'Bearer k', 'content-type': 'application/json' }, body: JSON.stringify({ model: 'a52-2026-08-07', messages: [{ role: 'user', content: 'a' }] }) });
    test('used', async (t) => { const u = await upstreamFor(t); u.on({}, 'a'); await ask(u.v1); });
    test('unused', async (t) => { const u = await upstreamFor(t); u.on({}, 'a'); });`,
  );
  const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', file], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^ok 1 - used/m);
  expect(stdout).toMatch(/^not ok 2 - unused/m);
  expect(stdout).toContain('not used: script-1, 0 of 1 replies taken');
});
