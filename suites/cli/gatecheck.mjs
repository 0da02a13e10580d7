#!/usr/bin/env node
// Starts the command line under the Node of the lockfile: in a clone TypeScript runs unbuilt, which older versions cannot
// do. A package has it as JavaScript in `dist`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = new URL('./main.ts', import.meta.url);
const main = existsSync(source) ? source : new URL('../../dist/suites/cli/main.js', import.meta.url);

if (Number(process.versions.node.split('.')[0]) >= 26) {
  await import(main.href);
} else {
  const node = bundledNode();
  if (node === null) {
    process.stderr.write(
      'gatecheck: Node 26 or newer is needed, and the one of the lockfile is not installed: run `npm ci` first\n',
    );
    process.exitCode = 2;
  } else {
    const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], {
      // The channel carries no messages: its end tells the child that this process is gone.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    // A terminal sends an interrupt to both, `kill` to this process alone: pass it on, the child takes two at once for one.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) => {
      process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
    });
  }
}

function bundledNode() {
  try {
    const packageFile = createRequire(import.meta.url).resolve('node/package.json');
    const path = join(dirname(packageFile), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}
