#!/usr/bin/env node
// Starts the simulated upstreams, records a provider or compares with one: from the built package, or from a clone.
import { existsSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `gatecheck-simulators: this needs Node 22.19 or newer, and you run ${process.versions.node}.\n`,
  );
  process.exit(2);
}
const [, , command] = process.argv;
const isNamed = command === 'drift' || command === 'capture';
if (isNamed) process.argv.splice(2, 1);
const program = isNamed ? `${command}/main` : 'main';
const built = new URL(`./dist/simulators/${program}.js`, import.meta.url);
await import(existsSync(built) ? built.href : `./${program}.ts`);
