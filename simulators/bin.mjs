#!/usr/bin/env node
// Starts the simulated upstreams, or compares them with a provider: from the built package, or from a clone of the repository.
import { existsSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `gatecheck-simulators: this needs Node 22.19 or newer, and you run ${process.versions.node}.\n`,
  );
  process.exit(2);
}
const isDrift = process.argv[2] === 'drift';
if (isDrift) process.argv.splice(2, 1);
const program = isDrift ? 'drift/main' : 'main';
const built = new URL(`./dist/simulators/${program}.js`, import.meta.url);
await import(existsSync(built) ? built.href : `./${program}.ts`);
