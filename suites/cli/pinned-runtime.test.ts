import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
}

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const own = JSON.parse(textOf('package.json')) as {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
const locked = Object.fromEntries(
  Object.entries((JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Locked> }).packages)
    // The packages of this repository are links to their folders.
    .filter(([path]) => path.startsWith('node_modules/') && !path.startsWith('node_modules/gatecheck')),
);
/** The packages that contain the launcher's Node. */
const runtimes = [...textOf('suites/cli/gatecheck.mjs').matchAll(/^ {2}'\w+-\w+': '(node-[\w-]+)',$/gm)].map(
  ([, name = '']) => name,
);

it('uses a Node from packages that the lockfile pins to one version', () => {
  expect(runtimes.length).toBeGreaterThan(3);
  expect(Object.keys(own.optionalDependencies ?? {}).toSorted()).toEqual(runtimes.toSorted());
  const versions = runtimes.map((name) => locked[`node_modules/${name}`]?.version);
  expect(new Set([...versions, ...Object.values(own.optionalDependencies ?? {})]).size).toBe(1);
});

it('has a SHA-512 hash for everything that is installed', () => {
  const unknown = Object.entries(locked).filter(([, one]) => !/^sha512-/.test(one.integrity ?? ''));
  expect(unknown.map(([path]) => path)).toEqual([]);
});

it('runs no script of a package that it installs', () => {
  const scripts = Object.entries(locked).filter(([, one]) => one.hasInstallScript === true);
  const names = scripts.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(names.filter((name) => own.allowScripts[name] !== false)).toEqual([]);
  expect(Object.values(own.allowScripts)).not.toContain(true);
});
