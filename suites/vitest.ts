import type { Failure } from 'gatecheck-reports/report';
import { isRed } from 'gatecheck-reports/verdict-words';
import { afterAll, beforeAll, it } from 'vitest';
import { reachUndone } from './cli/reach-undone.ts';
import type { Check } from './engine/check.ts';
import { loadRegister, type Requirement } from './rules/register.ts';
import { leastBusy } from './runner/concurrency.ts';
import { Jobs } from './runner/jobs.ts';
import { withOwn } from './runner/own-checks.ts';
import { preflight } from './runner/preflight.ts';

/** The deployment to judge, and how. */
export interface JudgeOptions {
  /** A profile. Without it, `baseUrl` and `key`. */
  readonly target?: string;
  readonly baseUrl?: string;
  /** The environment variable GATECHECK_KEY, if absent. */
  readonly key?: string;
  /** Rules of your own that the checks name. */
  readonly requirements?: readonly Requirement[];
  /** 1 if absent. */
  readonly seed?: number;
  /** `quick` if absent. */
  readonly size?: 'smoke' | 'quick' | 'full';
}

/** The time limits of the first requests and of one check, ms. */
const [openMs, checkMs] = [120_000, 900_000];

/**
 * Makes a test of each check. A check that lacks a fact is skipped, with its reason. Call it at the top of a test file.
 * @throws UsageError when a check cannot be judged
 */
export function judgeChecks(checks: readonly Check[], options: JudgeOptions): void {
  const { requirements = [], seed = 1, size = 'quick', ...target } = options;
  const own = withOwn({ checks: [], register: loadRegister() }, { checks, requirements }, 'judgeChecks');
  let opened: { readonly jobs: Jobs; readonly close: () => Promise<void> } | null = null;
  beforeAll(async () => {
    const { undone, stop } = await reachUndone(target, seed);
    const found = await preflight(undone.profile);
    const { profile, models, mediaModels } = found;
    const jobs = new Jobs(
      {
        targets: [{ id: 'target', stack: 'main', pool: 'main', profile, models, mediaModels }],
        ...{ jobs: [], seed, size, path: null, livesOn: true, width: leastBusy },
        replayPrefix: 'npx vitest',
      },
      own.register,
      own.checks,
    );
    const close = async (): Promise<void> => {
      await jobs.close();
      await stop();
    };
    opened = { jobs, close };
  }, openMs);
  afterAll(() => opened?.close(), openMs);
  for (const { id, title } of checks)
    it(`${id}: ${title}`, { timeout: checkMs }, async ({ signal, skip }) => {
      if (opened === null) throw new Error('the deployment was not reached');
      const { verdict, failure, evidence } = await opened.jobs.judge({ target: 'target', check: id }, signal);
      if (verdict === 'untestable' || verdict === 'not-applicable')
        skip(`needs ${evidence.missing.join(', ')}`);
      if (isRed(verdict)) throw new Error(failure === undefined ? verdict : inWords(failure));
    });
}

function inWords({ requirement, aspect, statement, expected, actual, curl }: Failure): string {
  const lines = [`${requirement} ${aspect}: ${statement}`, `expected  ${expected}`, `actual    ${actual}`];
  return [...lines, ...(curl === null ? [] : [`curl      ${curl}`])].join('\n');
}
