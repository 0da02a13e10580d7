import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node';

if (Number(process.versions.node.split('.')[0]) < 26) {
  throw new Error('the tests need Node 26: start them with `npm test`, which uses the one in node_modules');
}

// Tests start a hundred processes from the same sources: each keeps what it compiled for the next one.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/gatecheck/compiled', import.meta.url),
);

/** Why tests of containers were left out; null where they were not, or nobody asked for them. */
function withoutEngine(): string | null {
  const { GATECHECK_TEST_ENGINE: state } = process.env;
  if (state === undefined) return 'no engine was started for them: .ci/containers run npm test';
  // Without the file its images are not built, which the tests themselves say.
  const said = existsSync(state) ? readFileSync(state, 'utf8').trim() : '';
  return said.startsWith('none ') ? said.slice('none '.length) : null;
}

/** Why tests of a store with the interface of S3 were left out; null where they were not. */
function withoutS3(): string | null {
  const { GATECHECK_TEST_S3: place = '' } = process.env;
  if (place === '') return 'no store was started for them: .ci/s3 run npm test';
  return place.startsWith('none ') ? place.slice('none '.length) : null;
}

/** Ends the output with the one line that CI reads. */
const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length;
    const failed = tests.filter((test) => test.result().state === 'failed').length + broken;
    const again = tests
      .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
      .map((test) => test.fullName);
    // After everything that other reporters still print.
    process.once('exit', () => {
      for (const name of again) process.stdout.write(`tried twice: ${name}\n`);
      for (const [name, files, why] of leftOut) {
        const isAsked = modules.some(({ moduleId }) => files.some((file) => moduleId.endsWith(file)));
        const reason = isAsked ? why() : null;
        if (reason !== null) process.stdout.write(`${name} tests left out: ${reason}\n`);
      }
      const late = modules.filter((module) => (module.meta() as { isLate?: boolean }).isLate === true);
      if (late.length > 0) {
        process.stdout.write(`left out, because the time for tests was over:\n`);
        for (const { relativeModuleId } of late) process.stdout.write(`  ${relativeModuleId}\n`);
      }
      process.stdout.write(`${passed} passed, ${failed} failed\n`);
    });
  },
};

const tests = '{gateway,simulators,suites,reports,proof}/**/*.test.ts';
/** Tests that start a whole stack and judge it. */
const stackTests = '{suites,proof}/**/*.stack.test.ts';
/** Tests that need what a machine may not have: a container engine, a store of objects. */
const leftOut: readonly (readonly [string, readonly string[], () => string | null])[] = [
  ['container', ['suites/cli/containers.stack.test.ts'], withoutEngine],
  ['S3', ['gateway/media/s3/s3-server.test.ts', 'gateway/shared-media.test.ts'], withoutS3],
];
/**
 * Tests of units that wait for real processes, other databases or the official clients. `npm test` leaves them to
 * `npm run test:all`.
 */
const slowTests = [
  'gateway/{clock-jumps,crash,drained-restart,failover,kubernetes,main,many-records,rollout}.test.ts',
  'gateway/{shared-media,silences,soak,stalled-log,two-gateways}.test.ts',
  'gateway/store/{embedded-store,kept-cluster,server-tls}.test.ts',
  'proof/variants/variant-effects.test.ts',
  'simulators/clients/*.test.ts',
  'simulators/{main,faults/catalogue}.test.ts',
  'suites/{cli/cli,fuzz/held-memory}.test.ts',
];
/** What `npm test` judges beside the units: one run against the embedded stack, and a sample of the proof. */
const judgedTests = ['proof/{smoke,ten-defects}.stack.test.ts'];
/** Those of them that say how long something takes, or how much memory: one at a time. */
const aloneTests = [
  'proof/embedded.stack.test.ts',
  'suites/cli/{fleet,foreign-traffic,gone-target,hostile}.stack.test.ts',
  'suites/stack/real-time.stack.test.ts',
];
/** The files of several minutes: where one begins last, the others wait for it. */
const longest = [
  'suites/cli/documented-commands.stack.test.ts',
  'suites/cli/containers.stack.test.ts',
  'proof/kill-matrix/prove.stack.test.ts',
  'suites/fuzz/fuzz.stack.test.ts',
  'proof/drill.stack.test.ts',
  'suites/cli/plan.stack.test.ts',
  'proof/packed.stack.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((file) => moduleId.endsWith(file));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/**
 * They judge real processes in real time, on machines that others use too. What fails once is tried once more, and the output
 * ends with the names of such tests: each of them is a defect to look for.
 */
const stack = {
  setupFiles: ['./vitest.seed.ts'],
  pool: 'threads' as const,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  retry: 1,
};

// Files share what they import, which takes longer to load than most of them to run. The runner would leave one processor to
// itself, and tests wait more than they compute.
const together = {
  setupFiles: ['./vitest.seed.ts'],
  pool: 'threads' as const,
  isolate: false,
  maxWorkers: Math.max(2, availableParallelism()),
  hookTimeout: 60_000,
};
// Tests of whole processes wait more still, and those that begin too late are left out.
const waiting = { maxWorkers: Math.max(3, availableParallelism()), runner: './vitest.runner.ts' };

/** One group of tests after the other. */
const projects = [
  { ...together, name: 'units', include: [tests], exclude: [stackTests, ...slowTests], testTimeout: 60_000 },
  { ...stack, name: 'judged', include: judgedTests, maxWorkers: 1 },
  { ...together, ...waiting, name: 'slow', include: slowTests, testTimeout: 60_000 },
  {
    ...stack,
    ...waiting,
    name: 'stack',
    include: [stackTests],
    exclude: [...judgedTests, ...aloneTests],
  },
  { ...stack, ...waiting, name: 'alone', include: aloneTests, maxWorkers: 1 },
];

export default defineConfig({
  test: {
    reporters: ['default', closingLine],
    sequence: { sequencer: LongestFirst },
    projects: projects.map((test, at) => ({ test: { ...test, sequence: { groupOrder: at + 1 } } })),
  },
});
