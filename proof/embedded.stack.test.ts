import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from 'gatecheck-reports/report';
import { describe, expect, it } from 'vitest';
import { allChecks } from '../suites/checks/all-checks.ts';
import { readReport, runCli } from '../suites/cli/testing/run-cli.ts';
import { upBeside } from '../suites/cli/testing/up.ts';
import { loadProfile } from '../suites/profile/load-profile.ts';
import { judgedOnly } from './testing/proved-each-time.ts';

const { folder, target } = upBeside('embedded');

async function judge(
  name: string,
  ...args: string[]
): Promise<{ code: number | null; report: Report; stdout: string; out: string }> {
  const out = join(folder, name);
  const outcome = await runCli(['run', '--target', target, '--out', out, ...args]);
  return { code: outcome.code, report: readReport(out), stdout: outcome.stdout, out };
}

const verdictOf = ({ id, verdict, failure, evidence }: Report['checks'][number]): string =>
  `${id}: ${verdict} ${failure?.actual ?? evidence.missing.join()}`;

/** Digests of the requests of passed checks. A failed check also sent shrunk cases. */
const digests = ({ checks }: Report): Record<string, string> =>
  Object.fromEntries(
    checks
      .filter(({ verdict }) => verdict === 'pass')
      .map((check) => [check.id, check.evidence.cases_digest]),
  );

/** The requirements that the checks of a report judge, except those judged only by `without`. */
function requirementsOf(report: Report, without: readonly string[]): string[] {
  const judged = allChecks.filter(({ id }) => report.checks.some((check) => check.id === id));
  const left = judged.filter(({ id }) => without.includes(id)).flatMap(({ requirements }) => requirements);
  const all = judged.flatMap(({ requirements }) => requirements);
  return [...new Set(all)].filter((id) => !left.includes(id)).toSorted();
}

/** Fast properties that represent all others. */
const drawn = allChecks
  .filter(
    ({ kind, requirements: [first] }) => kind === 'property' && !/^(?:BILL|CHAT|COMP|ROUTE)/.test(first),
  )
  .map(({ id }) => id);
/** Also a third of the checks that are not proved on each run, to see that they pass. */
const judged = [...new Set([...drawn, ...judgedOnly.map(({ id }) => id), 'AUTH'])];
const seed = '7';
let first: Report;

describe('the suites against `gatecheck up`', () => {
  it('pass, without untestable checks, and leave no key in any report', async () => {
    const { report, out } = await judge('first', '--only', judged.join(','), '--seed', seed);
    first = report;
    expect(report.checks.map(({ id }) => id)).toEqual(
      expect.arrayContaining(judged.filter((id) => id !== 'AUTH')),
    );
    // Checks judge times, and a busy machine is not a defect: checks that did not pass run again.
    const open = report.checks.filter((check) => check.verdict !== 'pass').map(({ id }) => id);
    if (open.length > 0) {
      const again = await judge('second-look', '--only', open.join(','), '--seed', seed);
      expect(again.report.checks.filter(({ verdict }) => verdict !== 'pass').map(verdictOf)).toEqual([]);
      expect(again.code).toBe(0);
    }
    const others = new Set(open);
    const rows = report.requirements.filter((row) => !row.checks.some((id) => others.has(id)));
    expect(rows.map(({ id }) => id).toSorted()).toEqual(requirementsOf(report, open));
    expect(rows.filter((row) => row.verdict !== 'pass')).toEqual([]);
    const profile = loadProfile(target, {});
    const secrets = [
      ...[profile.keys, ...profile.tenants.map((tenant) => tenant.keys)].flatMap((keys) =>
        Object.values(keys),
      ),
      ...[...profile.tenants.map((tenant) => tenant.webhook_secret), profile.webhooks.kit?.secret],
    ].map((secret) => secret?.replace(/^whsec_/, ''));
    const written = ['report.json', 'report.html', 'junit.xml', 'summary.md']
      .map((name) => readFileSync(join(out, name), 'utf8'))
      .join('\n');
    expect(secrets.filter((secret) => secret !== undefined && written.includes(secret))).toEqual([]);
  }, 900_000);

  it('send the same cases for the same seed, and different ones for another seed', async () => {
    const only = ['--only', drawn.join(',')];
    const again = digests((await judge('again', ...only, '--seed', seed)).report);
    // Only every second check runs with another seed: each run costs a start and the checks themselves.
    const some = drawn.filter((_, place) => place % 2 === 0);
    const other = digests((await judge('other', '--only', some.join(','), '--seed', '12')).report);
    const before = digests(first);
    const inBoth = Object.keys(again).filter((id) => before[id] !== undefined);
    // Allow for a few checks that fail on a busy machine; the test above repeats them.
    expect(inBoth.length).toBeGreaterThan(drawn.length - 4);
    expect(inBoth.filter((id) => before[id] !== again[id])).toEqual([]);
    expect(Object.keys(other).length).toBeGreaterThan(some.length - 4);
    expect(Object.keys(other).filter((id) => other[id] === again[id])).toEqual([]);
  }, 400_000);

  it('write a report of the judged checks after an interrupt, and exit with 130', async () => {
    const out = join(folder, 'interrupted');
    const launcher = fileURLToPath(new URL('../suites/cli/gatecheck.mjs', import.meta.url));
    const child = spawn(
      process.execPath,
      [launcher, 'run', '--target', target, '--full', '--verbose', '--out', out],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, CI: 'true' },
      },
    );
    // The first verdict is printed: interrupt once, while other checks are running.
    let asked = false;
    child.stderr.on('data', (bytes: Buffer) => {
      if (asked || !/^(pass|FAIL|warn)/m.test(bytes.toString('utf8'))) return;
      asked = true;
      child.kill('SIGINT');
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(130);
    const report = readReport(out);
    expect(report).toMatchObject({ exit_code: 130, stopped: 'interrupted' });
    // Interrupted checks count as not run, not as failed.
    expect(report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'harness-error')).toEqual(
      [],
    );
    const notRun = report.checks.filter(({ not_run: reason }) => reason !== undefined);
    expect(notRun.length).toBeGreaterThan(allChecks.length / 2);
    expect(notRun.filter(({ evidence }) => evidence.missing.length > 0)).toEqual([]);
  }, 400_000);
});
