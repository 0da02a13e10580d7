import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { Reporter, TestModule } from 'vitest/node';

if (Number(process.versions.node.split('.')[0]) < 26) {
  throw new Error('the tests need Node 26: start them with `npm test`, which uses the one in node_modules');
}

// Tests start a hundred processes from the same sources: each keeps what it compiled for the next one.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/gatecheck/compiled', import.meta.url),
);

/** Ends the output with the one line that CI reads. */
const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length;
    const failed = tests.filter((test) => test.result().state === 'failed').length + broken;
    // After everything that other reporters still print.
    process.once('exit', () => process.stdout.write(`${passed} passed, ${failed} failed\n`));
  },
};

const tests = '{gateway,simulators,suites,reports}/**/*.test.ts';
/** Tests that start a whole stack and judge it: one at a time, so that time limits mean something. */
const stackTests = 'suites/**/*.stack.test.ts';

export default defineConfig({
  test: {
    reporters: ['default', closingLine],
    projects: [
      {
        test: {
          name: 'units',
          include: [tests],
          exclude: [stackTests],
          setupFiles: ['./vitest.seed.ts'],
          pool: 'threads',
          // Files share what they import, which takes longer to load than most of them to run. The runner would leave
          // one processor to itself, and tests wait more than they compute.
          isolate: false,
          maxWorkers: Math.max(2, availableParallelism()),
          testTimeout: 20_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'stack',
          include: [stackTests],
          setupFiles: ['./vitest.seed.ts'],
          pool: 'threads',
          maxWorkers: 1,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
