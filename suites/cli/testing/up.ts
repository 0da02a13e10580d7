import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { type Child, startChild } from '../../stack/child.ts';

/**
 * Runs `gatecheck up` beside the tests of a file.
 * @param name separates its folder from those of other tests
 * @returns a folder that is removed in the end, and the path of the profile that `up` writes into it
 */
export function upBeside(
  name: string,
  args: readonly string[] = [],
): { readonly folder: string; readonly target: string } {
  const folder = mkdtempSync(join(tmpdir(), `gatecheck-${name}-`));
  const target = join(folder, 'target.yaml');
  let up: Child;
  beforeAll(async () => {
    const launcher = fileURLToPath(new URL('../gatecheck.mjs', import.meta.url));
    up = await startChild({ name: 'gatecheck up', args: [launcher, 'up', '--target-out', target, ...args] });
  }, 90_000);
  afterAll(async () => {
    await up.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, target };
}
