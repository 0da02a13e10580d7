import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { brokenWalls, rooms } from './walls.ts';

const planted: string[] = [];

/** Creates a source tree with the top-level folders and the given files. */
function treeWith(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'gatecheck-walls-'));
  planted.push(root);
  for (const room of rooms) mkdirSync(join(root, room));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

afterEach(() => {
  for (const root of planted.splice(0)) rmSync(root, { recursive: true, force: true });
});

describe('the walls', () => {
  it('hold in this repository', () => {
    expect(brokenWalls(fileURLToPath(new URL('..', import.meta.url)))).toEqual([]);
  });

  it('allow the permitted imports', () => {
    const root = treeWith({
      'suites/oracle/x.ts':
        "import type { R } from 'gatecheck-reports/report';\nimport { C } from 'gatecheck-simulators/client';\n",
      'gateway/endpoints/e.ts': "import { t } from '../errors/t.ts';\nimport { z } from 'zod';\n",
      'gateway/errors/t.ts': 'export const t = 1;\n',
      'suites/checks/all.ts': "import { c } from './chat/checks.ts';\n",
      'suites/checks/chat/checks.ts':
        "import { d } from './mutants/d.ts';\nimport { s } from '../../steps/s.ts';\n",
      'suites/checks/chat/mutants/d.ts': 'export const d = 1;\n',
      'suites/steps/s.ts': 'export const s = 1;\n',
    });
    expect(brokenWalls(root)).toEqual([]);
  });

  it.each([
    [
      'a suite that imports the gateway',
      { 'suites/x.ts': "import { a } from '../gateway/app.ts';\n" },
      'wall of suites/',
    ],
    [
      'a type import through a wall',
      { 'suites/x.ts': "import type { A } from '../gateway/app.ts';\n" },
      'wall of suites/',
    ],
    [
      'an import over several lines',
      { 'suites/x.ts': "import {\n  a,\n  b,\n} from '../gateway/app.ts';\n" },
      'wall of suites/',
    ],
    [
      'a dynamic import through a wall',
      { 'suites/x.ts': `const a = await ${'import'}('../gateway/app.ts');\n` },
      'wall of suites/',
    ],
    [
      'a suite that imports more of the simulators than their client',
      { 'suites/x.ts': "import { a } from '../simulators/main.ts';\n" },
      'wall of suites/',
    ],
    [
      'a gateway that imports the suites',
      { 'gateway/x.ts': "import { a } from '../suites/a.ts';\n" },
      'wall of gateway/',
    ],
    [
      'a simulator that imports the gateway',
      { 'simulators/x.ts': "export { a } from '../gateway/a.ts';\n" },
      'wall of simulators/',
    ],
    [
      'a report that imports the suites',
      { 'reports/x.ts': "import '../suites/a.ts';\n" },
      'wall of reports/',
    ],
    ['a suite that validates with zod', { 'suites/checks/x.ts': "import { z } from 'zod';\n" }, 'uses zod'],
    [
      'a gateway that validates with ajv',
      { 'gateway/x.ts': "import { Ajv2020 } from 'ajv/dist/2020.js';\n" },
      'uses ajv',
    ],
    [
      'a lower floor that imports a higher one',
      { 'gateway/errors/x.ts': "import { a } from '../endpoints/a.ts';\n" },
      'no lower floor of gateway/',
    ],
    [
      'a neighbour on the same floor',
      { 'gateway/routing/x.ts': "import { a } from '../access/a.ts';\n" },
      'no lower floor of gateway/',
    ],
    [
      'an oracle that imports the engine',
      { 'suites/oracle/x.ts': "import { a } from '../engine/a.ts';\n" },
      'no lower floor of suites/',
    ],
    [
      'a neighbour on the lowest floors of the suites',
      { 'suites/profile/x.ts': "import { a } from '../receiver/a.ts';\n" },
      'no lower floor of suites/',
    ],
    [
      'a tenant of the simulators that imports the API which steers it',
      { 'simulators/state/x.ts': "import { a } from '../api/a.ts';\n" },
      'no lower floor of simulators/',
    ],
    [
      'a provider that imports the faults which edit its answers',
      { 'simulators/providers/x.ts': "import type { A } from '../faults/a.ts';\n" },
      'no lower floor of simulators/',
    ],
    [
      'a circle between two groups of faults',
      {
        'simulators/faults/status/a.ts': "import { b } from '../stream/b.ts';\n",
        'simulators/faults/stream/c.ts': "import { d } from '../status/d.ts';\n",
      },
      'circle of imports: simulators/faults/status/ > simulators/faults/stream/ > simulators/faults/status/',
    ],
    [
      'a folder that stands on no floor',
      { 'suites/attic/x.ts': 'export const a = 1;\n' },
      'suites/attic/x.ts stands on no floor of suites/',
    ],
    [
      'a source that uses what is for tests',
      { 'gateway/http/x.ts': "import { a } from '../testing/a.ts';\n" },
      'gateway/testing/a.ts, which is for tests',
    ],
    [
      'an area of checks that imports another',
      { 'suites/checks/chat/x.ts': "import { a } from '../tool/a.ts';\n" },
      'stand apart',
    ],
    [
      'a circle between folders that is none between files',
      {
        'suites/oracle/media/a.ts': "import { b } from '../native/b.ts';\n",
        'suites/oracle/native/c.ts': "import { d } from '../media/d.ts';\n",
      },
      'circle of imports: suites/oracle/media/ > suites/oracle/native/ > suites/oracle/media/',
    ],
    [
      'a circle',
      {
        'suites/a.ts': "import { b } from './b.ts';\n",
        'suites/b.ts': "import { a } from './a.ts';\n",
      },
      'circle of imports: suites/a.ts > suites/b.ts > suites/a.ts',
    ],
  ] as [string, Record<string, string>, string][])('fall for %s', (_, files, sentence) => {
    expect(brokenWalls(treeWith(files)).join('\n')).toContain(sentence);
  });
});
