import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type Patch, patchFlags } from './patch.ts';

const folder = mkdtempSync(join(tmpdir(), 'patch-'));
afterAll(() => rmSync(folder, { recursive: true }));
const root = fileURLToPath(new URL('../../', import.meta.url));

const main = join(folder, 'main.ts');
const part = join(folder, 'part.ts');
writeFileSync(main, "import { greet } from './part.ts';\nprocess.stdout.write(greet('you') + '\\n');\n");
writeFileSync(
  part,
  "export function greet(name: string): string {\n  return 'hello ' + (name as string);\n}\n",
);
writeFileSync(join(folder, 'unused.ts'), 'export const unused: number = 1;\n');

function runPatched(file: string, find: string, replace: string): Outcome {
  return runWith({ file: relative(root, file), find, replace });
}

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runWith(...patches: readonly Patch[]): Outcome {
  const { nodeArgs, env } = patchFlags(...patches);
  return spawnSync(process.execPath, [...nodeArgs, main], { env, encoding: 'utf8' });
}

describe('a process that runs with a patch', () => {
  it('runs the changed TypeScript source', () => {
    expect(runPatched(part, "'hello '", "'bye' + (' ' as string)")).toMatchObject({
      status: 0,
      stdout: 'bye you\n',
    });
  });

  it.each([
    { name: 'is nowhere', find: 'good evening', says: /0 times/ },
    { name: 'is there more than once', find: 'string', says: /3 times/ },
  ])('ends at once when the text $name', ({ find, says }) => {
    const run = runPatched(part, find, 'x');
    expect(run.status).toBe(70);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(says);
  });
});

describe('a process that runs with several patches', () => {
  const greeting = { file: relative(root, part), find: "'hello '", replace: "'bye '" };

  it('ends before it is ready when one of their files was never loaded', () => {
    const unused = { file: relative(root, join(folder, 'unused.ts')), find: '= 1', replace: '= 2' };
    const run = runWith(greeting, unused);
    expect(run).toMatchObject({ status: 70, stdout: '' });
    expect(run.stderr).toMatch(/unused\.ts was not loaded/);
  });

  it('ends at once when two are for the same file', () => {
    expect(runWith(greeting, { ...greeting, find: 'name as', replace: 'name as' }).stderr).toContain(
      'same file',
    );
  });
});
