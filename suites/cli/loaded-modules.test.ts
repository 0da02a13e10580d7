import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from './testing/run-cli.ts';

// The duration of a command depends on the machine. The modules that it loads, which take most of the time, do not.

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-loaded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noting = join(folder, 'note.mjs');
writeFileSync(
  noting,
  `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES, url + '\\n');
    return next(url, context);
  },
});`,
);

/** The modules that a command loads: packages by name, and our own files by path. */
async function loadedBy(...args: string[]): Promise<ReadonlySet<string>> {
  const list = join(folder, `${args[0]}.txt`);
  writeFileSync(list, '');
  // The first call after a change loads all checks to cache their facts.
  await runCli(['list']);
  await runCli(args, { NODE_OPTIONS: `--import ${noting}`, LOADED_MODULES: list, GATECHECK_KEY: 'k' });
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const urls = readFileSync(list, 'utf8').trim().split('\n');
  return new Set(
    urls.map((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url.split(root)[1] ?? url),
  );
}

const heavy = ['vitest', 'zod', 'yaml', 'undici', 'ajv', '@faker-js/faker', 'fast-check'];

describe('modules of a command', () => {
  it.each([['list'], ['explain', 'CHAT-012']])(
    '%s loads neither a test runner nor a check',
    async (...args) => {
      const loaded = await loadedBy(...args);
      expect(loaded).toContain('suites/cli/main.ts');
      expect(heavy.filter((name) => loaded.has(name))).toEqual([]);
      expect([...loaded].filter((path) => /^suites\/checks\/[^/]+\//.test(path))).toEqual([]);
    },
    60_000,
  );

  it('run loads no test runner for a single check, and no checks of other areas', async () => {
    const out = join(folder, 'out');
    const loaded = await loadedBy(
      ...['run', '--only', 'auth.header.missing', '--base-url', 'http://127.0.0.1:1', '--out', out],
    );
    expect(loaded).toContain('suites/checks/auth/header.ts');
    expect(loaded).not.toContain('vitest');
    const areas = [...loaded].flatMap((path) => /^suites\/checks\/([^/.]+)\//.exec(path)?.[1] ?? []);
    expect(new Set(areas)).toEqual(new Set(['auth', 'every']));
  }, 60_000);

  it('neither run nor receiver loads the whole of fetch', () => {
    const modules = ['../receiver/start.ts', '../runner/preflight.ts', '../runner/jobs.ts', './run.ts'];
    const code = [
      ...modules.map((path) => `await import(${JSON.stringify(new URL(path, import.meta.url).href)});`),
      `console.log(process.moduleLoadList.filter((name) => name.includes('deps/undici')));`,
    ].join('\n');
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
      encoding: 'utf8',
    });
    expect(said.trim()).toBe('[]');
  }, 60_000);
});
