// What each package of this repository ships. Paths are from the root; endings of sources are left out.

/**
 * `external` is installed beside the package, everything else is bundled; `named` is bundled, and installed because declarations
 * name its types.
 * @typedef {{ entries: string[], types: string[], external: string[], named?: string[], assets: string[] }} Shipped
 */

/** Read by judges and simulators alike. */
const faults = 'fixtures/faults';

/** What the tests of a user import. */
const simulatorsApi = [
  'simulators/in-process/start-simulators',
  ...['vitest', 'jest', 'node-test'].map((runner) => `simulators/kits/${runner}`),
  'simulators/control/client',
  'simulators/receiver-kit',
];

/** @type {Record<string, Shipped>} */
export const packages = {
  reports: {
    entries: ['reports/*'],
    types: ['reports/*'],
    external: [],
    assets: [],
  },
  simulators: {
    entries: [
      'simulators/main',
      'simulators/capture/main',
      'simulators/drift/main',
      ...simulatorsApi,
      'simulators/listeners/blackhole-listener',
    ],
    types: simulatorsApi,
    // Files of the former are served to browsers; the latter is the user's own.
    external: ['lit-html', 'vitest'],
    named: ['zod'],
    assets: [
      'fixtures/scenarios',
      'fixtures/variants.json',
      'fixtures/clients/answer-members.txt',
      'fixtures/media',
      faults,
      'simulators/page/*.{html,css,svg,js}',
      'docs/{faults,fault-list,scripts,media,console}.md',
      'docs/pictures/console.png',
    ],
  },
  gateway: {
    entries: [
      'gateway/main',
      'gateway/backup',
      'gateway/store/new-cluster-worker',
      'gateway/store/pglite-worker',
    ],
    types: [],
    // Each of them finds files of its own.
    external: ['@electric-sql/pglite', 'pg', 'pino', 's3mini'],
    assets: [],
  },
  suites: {
    entries: [
      'suites/cli/main',
      'suites/public-api',
      'suites/vitest',
      'suites/fuzz/cost/probe-worker',
      'suites/receiver/main',
    ],
    types: ['suites/public-api', 'suites/vitest', 'reports/report', 'simulators/control/client'],
    // Shared with checks of the user's own, or large and rarely loaded.
    external: ['fast-check', '@faker-js/faker', 'pg', 'openai', 'testcontainers', 'vitest'],
    named: ['undici', 'zod'],
    assets: [
      'fixtures/requirements',
      'fixtures/readings.md',
      'fixtures/schemas',
      'fixtures/media',
      'fixtures/targets',
      'fixtures/dialects',
      'fixtures/scenarios',
      faults,
      'suites/checks/check-costs.json',
      ...['README.md', 'llms.txt', 'docs'],
    ],
  },
};
