import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allChecks } from '../suites/checks/all-checks.ts';
import type { Profile } from '../suites/profile/profile.ts';
import { execute } from '../suites/runner/execute.ts';
import type { JobTarget } from '../suites/runner/run-input.ts';
import { provesAll } from '../suites/testing/test-size.ts';
import { watchBefore } from '../suites/watch/testing/watch-before.ts';
import { ProofStack } from './kill-matrix/proof-stack.ts';
import { combinedVariants } from './variants/variants.ts';

/**
 * All traffic between the suites and a deployment is legitimate, including upstream faults. So a watch between them must
 * report nothing, on the reference and on its harmless variants. The two variants contain all differences.
 */

const seed = 20260807;
/** All checks that a proxy can pass on take minutes per deployment; a usual run takes some of every area. */
const checks = allChecks.filter(({ raw }, at) => raw !== true && (provesAll || at % 12 === 0));

let stack: ProofStack;
beforeAll(async () => {
  const limits = { upstream: 0, source: 0 };
  stack = await ProofStack.start({ seed, mutants: [], variants: combinedVariants, limits });
}, 400_000);
afterAll(() => stack.stop());

describe.each([null, ...combinedVariants])('a watch before %s', (variant) => {
  it('reports nothing while checks of all areas run', { timeout: 1_800_000 }, async () => {
    const target = variant === null ? stack.reference() : stack.variant(variant);
    const watch = await watchBefore(target.profile.base_url, target.profile);
    const watched: JobTarget = {
      ...target,
      profile: {
        ...target.profile,
        base_url: watch.baseUrl,
        hooks: hooksThrough(target.profile, watch.baseUrl),
      },
    };
    const { results, faults } = await execute(
      {
        ...{ targets: [watched], seed, size: 'quick', path: null, livesOn: false },
        ...{ jobs: checks.map(({ id }) => ({ target: target.id, check: id })), replayPrefix: '' },
      },
      { concurrency: 8, bail: 0, onResult: () => undefined, signal: new AbortController().signal },
    );
    const { report, undecided } = await watch.close();
    expect(watch.found.map((one) => `${one.requirement} ${one.aspect}: ${one.actual}`)).toEqual([]);
    expect(report.notices?.join(' ')).not.toContain('a fault of the watch');
    expect(undecided).toBe(0);
    expect(watch.watcher.passed).toBeGreaterThan(checks.length);
    // The watch must not change results: a failure here would also occur without it.
    expect(faults).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([]);
  });
});

/** Routes reads of usage and ledger through the watch as well, if only the watch is in front of the deployment. */
function hooksThrough({ base_url, hooks }: Profile, baseUrl: string): Profile['hooks'] {
  const { usage, ledger } = hooks;
  if (new URL(base_url).origin !== new URL(usage?.url ?? base_url).origin) return hooks;
  const through = (url: string): string => new URL(baseUrl).origin + new URL(url).pathname;
  return {
    ...hooks,
    ...(usage && { usage: { ...usage, url: through(usage.url) } }),
    ...(ledger && { ledger: { ...ledger, url: through(ledger.url) } }),
  };
}
