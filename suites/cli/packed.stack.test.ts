import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readReport } from './testing/run-cli.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gatecheck-packed-'));
const modules = join(folder, 'node_modules');
const installed = join(modules, 'gatecheck');
const maxBytes = 10 * 1024 * 1024;

function call(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  expect(status, `${command} ${args.join(' ')}: ${stderr}`).toBe(0);
  return stdout;
}

const gatecheck = (...args: string[]): string =>
  call(process.execPath, [join(installed, 'suites/cli/gatecheck.mjs'), ...args], folder);

beforeAll(() => {
  call('npm', ['pack', '--pack-destination', folder], root);
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  mkdirSync(installed, { recursive: true });
  call('tar', ['--extract', '--file', tarball, '--directory', installed, '--strip-components', '1'], folder);
  // What npm would fetch is here already.
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => !one.startsWith('.')))
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true }));

it('is JavaScript and fixtures only, well under 10 MB', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(installed, name)).isFile(),
  );
  expect(files.filter((name) => /\.tsx?$|\.test\.js$/.test(name))).toEqual([]);
  const bytes = files.map((name) => statSync(join(installed, name)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(maxBytes);
  expect(existsSync(join(root, 'dist')), 'nothing is left in the tree').toBe(false);
});

it('knows the same checks as the tree', () => {
  const fromTree = call(process.execPath, ['suites/cli/gatecheck.mjs', 'list', '--json'], root);
  expect(JSON.parse(gatecheck('list', '--json'))).toEqual(JSON.parse(fromTree));
}, 60_000);

it('says what only a clone can do', () => {
  const launcher = join(installed, 'suites/cli/gatecheck.mjs');
  const { status, stderr } = spawnSync(process.execPath, [launcher, 'prove'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr).toContain('in a clone of the repository');
});

it('judges the embedded stack', () => {
  const only = ['ep.models.list', 'sse.usage.running', 'hook.end.signed'];
  const text = gatecheck('run', '--only', only.join(','), '--seed', '1', '--out', join(folder, 'out'));
  expect(text).toContain('Conforming: ');
  const { checks } = readReport(join(folder, 'out'));
  expect(checks.map(({ verdict }) => verdict)).toEqual(checks.map(() => 'pass'));
  expect(checks.length).toBeGreaterThan(1);
}, 180_000);
