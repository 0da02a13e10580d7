import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Everything runs on the Node that the product pins; so the product must be installed, too.
const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
if (!existsSync(node)) {
  process.stderr.write(
    'The clients are tried on the Node of the product: run `npm ci` in the repository first.\n',
  );
  process.exit(2);
}
const main = fileURLToPath(new URL('main.ts', import.meta.url));
const { status } = spawnSync(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
