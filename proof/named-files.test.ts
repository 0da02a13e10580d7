import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The sources that read files without a bound, each with whose files those are. All others may be named by a person, who may
 * name a device that never ends: their readers are `read-named-file.ts`, `read-file.ts` and `read-text.ts`.
 */
const unbounded: Readonly<Record<string, string>> = {
  'gateway/billing/spool-file.ts': 'its own spool',
  'gateway/media/create-media-files.ts': 'its own media',
  'gateway/store/cluster-file.ts': 'the cluster that it has made',
  'gateway/store/data-dir-lock.ts': 'the lock of its data directory',
  'gateway/store/kept-cluster.ts': 'its own sources, and the cluster kept for them',
  'gateway/store/store-identity.ts': 'its own data directory',
  'simulators/api/console/page-files.ts': 'pages of the package',
  'simulators/drift/members.ts': 'a fixture',
  'simulators/encoders/mp4.ts': 'a fixture',
  'simulators/fault-contract/load-facts.ts': 'fixtures',
  'simulators/files/load-scenario.ts': 'fixtures',
  'simulators/variants/known-variants.ts': 'a fixture',
  'suites/checks/areas.ts': 'costs of the package',
  'suites/fuzz/held-memory.ts': 'the status of a process',
  'suites/oracle/faults/read-facts.ts': 'fixtures',
  'suites/oracle/sample-media.ts': 'fixtures',
  'suites/plan/note-costs.ts': 'costs of the package',
  'suites/process/kept-folder.ts': 'values that it has kept',
  'suites/profile/json-schema.ts': 'a schema of the package',
  'suites/rules/readings.ts': 'a fixture',
  'suites/rules/register.ts': 'fixtures',
  'suites/runner/known-checks.ts': 'facts of the package',
  'suites/wire/shapes.ts': 'schemas of the package',
};

const readsFiles = /\b(?:readFile|readFileSync|createReadStream|openAsBlob)\(|\bopen\([^)]*O_RDONLY/;

it('every file that a person may name is read within a bound', () => {
  const sources = globSync('{gateway,simulators,suites,reports}/**/*.{ts,mjs}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/testing/**', '**/*.test.ts'],
  });
  const found = sources.filter((path) => readsFiles.test(readFileSync(root + path, 'utf8')));
  expect(found.toSorted()).toEqual(Object.keys(unbounded).toSorted());
});
