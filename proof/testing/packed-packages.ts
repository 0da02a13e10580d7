import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type Child, startChild } from '../../suites/stack/child.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const folder = mkdtempSync(join(tmpdir(), 'gatecheck-packed-'));
export const modules = join(folder, 'node_modules');
export const launcher = join(modules, 'gatecheck/cli/gatecheck.mjs');
const examples = join(root, 'docs/examples');

/** The published packages by folder, with the maximum size of each in bytes. */
export const packages = { reports: 1e6, simulators: 4e6, gateway: 6e6, suites: 10e6 };

export function call(command: string, args: readonly string[], cwd: string, env = process.env): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  expect(status, `${command} ${args.join(' ')}: ${stdout}${stderr}`).toBe(0);
  return stdout;
}

export const gatecheck = (...args: string[]): string => call(process.execPath, [launcher, ...args], folder);

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly engines: { readonly node: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

export const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as Manifest;

/** Packs the package of a folder and installs it with its dependencies, copied from this tree instead of npm. */
function install(room: string): string {
  call('npm', ['pack', '--pack-destination', folder], join(root, room));
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const draft = join(folder, 'draft');
  mkdirSync(draft);
  call('tar', ['--extract', '--file', tarball, '--directory', draft, '--strip-components', '1'], folder);
  rmSync(join(folder, tarball));
  const { name, dependencies = {} } = JSON.parse(
    readFileSync(join(draft, 'package.json'), 'utf8'),
  ) as Manifest;
  renameSync(draft, join(modules, name));
  for (const one of Object.keys(dependencies)) link(one);
  return name;
}

function link(name: string): void {
  const place = join(modules, name);
  mkdirSync(dirname(place), { recursive: true });
  if (!existsSync(place)) symlinkSync(join(root, 'node_modules', name), place);
}

/** Packs and installs all packages in a folder of a user, with the examples of the documents; returns their names. */
export function installAll(): string[] {
  mkdirSync(modules);
  const names = Object.keys(packages).map(install);
  for (const name of ['typescript', '@types/node', 'vitest']) link(name);
  for (const name of readdirSync(examples)) cpSync(join(examples, name), join(folder, name));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return names;
}

/** Runs `work` while a child process is running that printed a JSON line when it was ready. */
export async function withChild(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  work: (ready: Child['ready']) => void,
): Promise<void> {
  const child = await startChild({ name: args.join(' '), args, env });
  try {
    work(child.ready);
  } finally {
    await child.stop();
  }
}
