import { randomInt } from 'node:crypto';
import type { CheckResult, Report } from '../../reports/report.ts';
import { allChecks } from '../checks/all-checks.ts';
import type { Check } from '../engine/check.ts';
import { type ExitCode, UsageError } from '../exit-codes.ts';
import type { Minimums } from '../profile/conformance-profiles.ts';
import { loadProfile, minimalProfile } from '../profile/load-profile.ts';
import type { Profile } from '../profile/profile.ts';
import { loadRegister, type Register } from '../rules/register.ts';
import { assembleReport } from '../runner/assemble-report.ts';
import { countOf } from '../runner/count-of.ts';
import { emptyResult } from '../runner/empty-result.ts';
import { execute } from '../runner/execute.ts';
import { preflight } from '../runner/preflight.ts';
import type { JobResult } from '../runner/run-input.ts';
import { type Selection, selectedAreas, selectForRun } from '../runner/select.ts';
import { widestFirst } from '../runner/widest-first.ts';
import { startStack } from '../stack/stack.ts';
import { withReceiver } from '../stack/start-receiver.ts';
import { catchInterrupts } from './interrupt.ts';
import { Progress } from './progress.ts';
import { readMinimums } from './read-minimums.ts';
import { type RunOptions, selectionFlags, selectionOf, targetFlags, withHeaders } from './run-options.ts';
import { suiteFacts } from './suite-facts.ts';
import { versions } from './version.ts';
import { deliver, prepareFolder } from './write-reports.ts';
import { writeWaivers } from './write-waivers.ts';

/** Checks that run side by side: enough to keep two cores busy, few enough that time limits still mean something. */
const concurrency = 8;

/** `gatecheck run`: judges one target and writes its report. */
export async function runCommand(options: RunOptions): Promise<ExitCode> {
  const register = loadRegister();
  const { selection, seed: earlierSeed } = selectionOf(options);
  const checks = selectForRun(allChecks, register, selection);
  const required = options.require === undefined ? {} : readMinimums(options.require);
  const seed = options.seed ?? earlierSeed ?? randomInt(2 ** 31);
  prepareFolder(options.out);
  const interrupts = catchInterrupts();
  const startedAt = new Date();
  const target = await reachTarget(options, seed);
  try {
    const report = await judge({
      options,
      register,
      checks,
      selection,
      seed,
      startedAt,
      profile: target.profile,
      minimums: { ...target.profile.minimum, ...required },
      signal: interrupts.signal,
    });
    deliver(report, options.out);
    if (options.writeWaivers !== undefined) writeWaivers(report, options.writeWaivers, options);
    return report.exit_code as ExitCode;
  } finally {
    await target.stop();
    interrupts.release();
  }
}

async function reachTarget(
  options: RunOptions,
  seed: number,
): Promise<{ profile: Profile; stop: () => Promise<void> }> {
  if (options.target !== undefined) {
    const profile = withHeaders(loadProfile(options.target, process.env), options.header);
    return withReceiver(
      options.baseUrl === undefined ? profile : { ...profile, base_url: checkedUrl(options.baseUrl) },
    );
  }
  if (options.baseUrl !== undefined) {
    const key = options.key ?? process.env.GATECHECK_KEY;
    if (!key) throw new UsageError('--base-url needs a key: give --key, or set GATECHECK_KEY');
    const profile = withHeaders(minimalProfile(checkedUrl(options.baseUrl), key), options.header);
    return { profile, stop: () => Promise.resolve() };
  }
  if (options.key !== undefined)
    throw new UsageError(
      '--key needs --base-url: without an address the embedded stack is judged, which has keys of its own',
    );
  process.stderr.write('Starting the embedded reference stack …\n');
  const stack = await startStack({ seed });
  return { profile: stack.profile, stop: () => stack.stop() };
}

function checkedUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`--base-url ${text} is not an http(s) address`);
  return text;
}

interface Judgement {
  readonly options: RunOptions;
  readonly register: Register;
  readonly checks: readonly Check[];
  readonly selection: Selection;
  readonly seed: number;
  readonly startedAt: Date;
  readonly profile: Profile;
  readonly minimums: Minimums;
  readonly signal: AbortSignal;
}

async function judge(run: Judgement): Promise<Report> {
  const { options, checks, seed } = run;
  const { profile, models, mediaModels, lost } = await preflight(run.profile);
  for (const text of lost) process.stderr.write(`Lost: ${text}\n`);
  const size = options.full ? 'full' : 'quick';
  process.stderr.write(
    `Judging ${profile.base_url} with ${countOf(checks.length, 'check')}, ${size}, seed ${seed}\n`,
  );
  const progress = new Progress(process.stderr, checks.length, process.env);
  const replayPrefix = `npx gatecheck run${targetFlags(options)}`;
  const minutes = options.minutes ?? profile.budget.minutes ?? null;
  const spent = minutes === null ? new AbortController().signal : AbortSignal.timeout(minutes * 60_000);
  const ordered = minutes === null ? stillFirst(checks) : widestFirst(checks);
  const { results, faults } = await execute(
    {
      targets: [{ id: 'target', stack: 'main', pool: 'main', profile, models, mediaModels, lost }],
      jobs: ordered.map((check) => ({ target: 'target', check: check.id })),
      seed,
      size,
      path: options.path ?? null,
      livesOn: options.target !== undefined || options.baseUrl !== undefined,
      replayPrefix,
    },
    {
      concurrency: Math.min(concurrency, Math.max(1, profile.lanes.length)),
      bail: options.bail,
      onResult: (result) => progress.add(result),
      signal: AbortSignal.any([run.signal, spent]),
    },
  );
  progress.end();
  const interrupted = run.signal.aborted;
  const stopped = interrupted
    ? 'interrupted'
    : spent.aborted
      ? `the budget of ${minutes} minutes is spent`
      : options.bail > 0 && results.length < checks.length
        ? `stopped after ${options.bail} failures`
        : null;
  const reason = stopped ?? faults[0] ?? 'not run';
  return assembleReport({
    target: { name: profile.name, base_url: profile.base_url, profile: options.target ?? null },
    waivers: profile.waivers,
    shard: run.selection.shard,
    minimums: run.minimums,
    seed,
    size,
    startedAt: run.startedAt,
    durationMs: Date.now() - run.startedAt.getTime(),
    versions: versions(),
    command: `${replayPrefix}${selectionFlags(options)} --seed ${seed}${options.full ? ' --full' : ''}`,
    stopped,
    interrupted,
    checks: inOrder(checks, results, run.register, { reason, harness: stopped === null }),
    ...suiteFacts(),
    areas: selectedAreas(run.register, run.selection.only),
    register: run.register,
  });
}

/** Checks that move the clock go last, since nothing runs beside them. */
function stillFirst(checks: readonly Check[]): Check[] {
  return checks.toSorted((a, b) => Number(a.clock === 'jump') - Number(b.clock === 'jump'));
}

/** One result for every selected check, in the order of the checks; those that never ran say so. */
function inOrder(
  checks: readonly Check[],
  results: readonly JobResult[],
  register: Register,
  unrun: { reason: string; harness: boolean },
): CheckResult[] {
  const byId = new Map(results.map(({ target: _, ...result }) => [result.id, result]));
  return checks.map(
    (check) =>
      byId.get(check.id) ??
      (unrun.harness
        ? emptyResult(check, register, 'harness-error', [unrun.reason])
        : { ...emptyResult(check, register, 'untestable', []), not_run: unrun.reason }),
  );
}
