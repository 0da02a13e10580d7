import { randomInt } from 'node:crypto';
import type { CheckResult, Report } from 'gatecheck-reports/report';
import { declaredInWords, type Undone } from '../deviations/undo.ts';
import type { CheckFacts } from '../engine/check.ts';
import { missingFacts } from '../engine/facts.ts';
import type { ExitCode } from '../exit-codes.ts';
import { inOrderOfCost } from '../plan/cheapest-first.ts';
import { loadCheckCosts } from '../plan/check-costs.ts';
import { lackedFacts } from '../plan/expected-cost.ts';
import { fittingSize } from '../plan/fitting-size.ts';
import { type Plan, planOf } from '../plan/plan.ts';
import { planInLine } from '../plan/plan-text.ts';
import type { Minimums } from '../profile/conformance-profiles.ts';
import { declaredUrl } from '../profile/declared-url.ts';
import type { Profile } from '../profile/profile.ts';
import type { Register } from '../rules/register.ts';
import { assembleReport } from '../runner/assemble-report.ts';
import { skewInWords } from '../runner/clock-skew.ts';
import { concurrencyOf } from '../runner/concurrency.ts';
import { countOf } from '../runner/count-of.ts';
import { emptyResult } from '../runner/empty-result.ts';
import { type Execution, execute, preloadChecks } from '../runner/execute.ts';
import { knownWithOwn } from '../runner/own-checks.ts';
import { type Preflight, preflight } from '../runner/preflight.ts';
import type { JobResult } from '../runner/run-input.ts';
import { type Selection, selectedAreas, selectForRun } from '../runner/select.ts';
import { tenantsFor } from '../runner/tenant-pool.ts';
import { budgetOf, givenBounds } from './budget.ts';
import { checkFlags } from './check-flags.ts';
import { withContainerLogs } from './container-logs.ts';
import { openHistory, withHistory } from './history.ts';
import { catchInterrupts } from './interrupt.ts';
import { leftOut } from './left-out.ts';
import { assertFile } from './output-places.ts';
import { planFacts } from './plan-facts.ts';
import { Progress } from './progress.ts';
import { reachUndone } from './reach-undone.ts';
import { readMinimums } from './read-minimums.ts';
import {
  type RunOptions,
  selectionFlags,
  selectionOf,
  sizeFlag,
  sizeOf,
  targetFlags,
} from './run-options.ts';
import { missingFactsOf, suiteFacts } from './suite-facts.ts';
import { versions } from './version.ts';
import { deliver, prepareFolder, writeHar } from './write-reports.ts';
import { writeWaivers } from './write-waivers.ts';

const interruptedText = 'Interrupted: what was judged is being reported; a second interrupt ends at once.\n';

/** After so many answers without an end, more of them tell nothing new. */
const mostTooLong = 5;

/** `gatecheck run`: judges one target and writes its report. */
export async function runCommand(options: RunOptions): Promise<ExitCode> {
  const { selection, seed: earlierSeed } = selectionOf(options);
  const { register, checks: known } = await knownWithOwn(options.checks);
  const checks = selectForRun(known, register, selection);
  const required = options.require === undefined ? {} : readMinimums(options.require);
  // A mistake is told before anything is sent.
  givenBounds(options);
  const seed = options.seed ?? earlierSeed ?? randomInt(2 ** 31);
  prepareFolder(options.out);
  if (options.history !== undefined) openHistory(options.history, selection.shard);
  if (options.har !== undefined) assertFile(options.har, '--har');
  if (options.writeWaivers !== undefined) assertFile(options.writeWaivers, '--write-waivers');
  const interrupts = catchInterrupts();
  interrupts.signal.addEventListener('abort', () => process.stderr.write(interruptedText));
  const startedAt = new Date();
  const { signal } = interrupts;
  const reaching = reachUndone(options, seed, { tenants: tenantsFor(checks, sizeOf(options)), signal });
  // Its processes start meanwhile. Where it cannot be loaded, the run says so once there is a target to stop.
  const loading = preloadChecks(checks.map(({ id }) => id)).catch(() => undefined);
  const [target] = await Promise.all([reaching, loading]);
  const { profile } = target.undone;
  try {
    const judged = await judge({
      options,
      register,
      checks,
      known,
      selection,
      seed,
      startedAt,
      profile,
      undone: target.undone,
      minimums: { ...profile.minimum, ...required },
      signal,
    });
    const told = await withContainerLogs(judged, target, options.out);
    const report = options.history === undefined ? told : withHistory(told, options.history);
    deliver(report, options.out);
    if (options.har !== undefined) writeHar(report, options.har);
    if (options.writeWaivers !== undefined) writeWaivers(report, options.writeWaivers, options);
    return report.exit_code as ExitCode;
  } finally {
    await target.stop();
    interrupts.release();
  }
}

interface Judgement {
  readonly options: RunOptions;
  readonly register: Register;
  readonly checks: readonly CheckFacts[];
  /** All that there are, selected or not. */
  readonly known: readonly CheckFacts[];
  readonly selection: Selection;
  readonly seed: number;
  readonly startedAt: Date;
  readonly profile: Profile;
  readonly undone: Undone;
  readonly minimums: Minimums;
  readonly signal: AbortSignal;
}

async function judge(given: Judgement): Promise<Report> {
  const { checks, seed } = given;
  const found = await look(given);
  if (found === null) return reportOf(given, nothingDone, 'interrupted');
  const run = fitted(given, found);
  const { options } = run;
  const { profile, models, mediaModels, lost, exchanges, clockSkewMs, refusedByCap: refusedBefore } = found;
  const budget = budgetOf(options, profile, found);
  const costs = loadCheckCosts();
  const size = sizeOf(options);
  announce(run, found, planOf(checks, costs, planFacts(options, found, budget.pricing)));
  const progress = new Progress(process.stderr, checks.length, process.env);
  const replayPrefix = `npx gatecheck run${targetFlags(options)}${checkFlags(options)}`;
  const { minutes, ...bounds } = budget;
  const late = minutes === undefined ? new AbortController().signal : AbortSignal.timeout(minutes * 60_000);
  const { ways, named } = run.undone;
  const tells = new Set(ways.map(({ check }) => check));
  const target = { stack: 'main', pool: 'main', models, mediaModels, lost, clockSkewMs, refusedBefore };
  const ordered = inOrderOfCost(checks, costs, { budget, profile, size, latencyMs: found.latencyMs });
  const execution = await execute(
    {
      targets: [
        { ...target, id: 'target', profile },
        ...ways.map(({ check, url }) => ({ ...target, id: check, profile: { ...profile, base_url: url } })),
      ],
      jobs: ordered
        .filter((check) => isJob(check, given))
        .map(({ id }) => ({ target: tells.has(id) ? id : 'target', check: id })),
      seed,
      size,
      path: options.path ?? null,
      livesOn: options.target !== undefined || options.baseUrl !== undefined,
      replayPrefix,
      checkFiles: options.checks ?? [],
      ...{ judgeAgain: true, judgesEvery: true },
      budget: { ...bounds, tooLong: mostTooLong, before: { exchanges } },
    },
    {
      concurrency: concurrencyOf(profile, found.latencyMs),
      bail: options.bail,
      onResult: (result) => progress.add(result),
      signal: AbortSignal.any([run.signal, late]),
    },
  );
  progress.end();
  const stopped =
    late.aborted && !run.signal.aborted
      ? `the budget of ${minutes} minutes is spent`
      : whyStopped(run, execution);
  return reportOf({ ...run, profile }, named(execution), stopped);
}

/** Whether a check is run by itself: what all others send shows the rows of the oracle where nothing narrows a run. */
function isJob({ kind }: CheckFacts, { selection: { only, ids } }: Judgement): boolean {
  return kind !== 'passive' || only !== null || ids !== null;
}

/** The run in the smoke size, where it has so little time that the usual one would reach few rules, and none is asked for. */
function fitted(run: Judgement, found: Preflight): Judgement {
  const { options, checks } = run;
  const { minutes, pricing } = budgetOf(options, found.profile, found);
  const size = fittingSize(options, minutes, () =>
    planOf(checks, loadCheckCosts(), planFacts(options, found, pricing)),
  );
  return size === sizeOf(options) ? run : { ...run, options: { ...options, size } };
}

const nothingDone: Execution = {
  ...{ results: [], faults: [], notices: [] },
  ...{ spent: null, stopped: null, isGone: false, every: [] },
};

/** What the first requests find; null when the user does not wait for it. */
async function look({ profile, signal }: Judgement): Promise<Preflight | null> {
  const interrupted = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const found = preflight(profile, { signal }).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  return signal.aborted ? null : Promise.race([found, interrupted]);
}

function reportOf(run: Judgement, execution: Execution, stopped: string | null): Report {
  const { options, profile, seed, register, checks } = run;
  const { results, faults, spent } = execution;
  const size = sizeOf(options);
  const reason = stopped ?? faults[0] ?? 'not run';
  const unrun = { reason, harness: stopped === null, profile };
  const judged = withRows(inOrder(checks, results, register, unrun), execution.every);
  const costs = loadCheckCosts();
  const unable = checks.filter((check) => lackedFacts(check, costs, profile).length > 0).map(({ id }) => id);
  const notices = [
    ...execution.notices,
    ...[declaredInWords(run.undone)].filter((words) => words !== null),
    ...leftOut(judged, size, new Set(unable)),
  ];
  return assembleReport({
    target: { name: profile.name, base_url: declaredUrl(profile), profile: options.target ?? null },
    waivers: profile.waivers,
    shard: run.selection.shard,
    minimums: run.minimums,
    seed,
    size,
    startedAt: run.startedAt,
    durationMs: Date.now() - run.startedAt.getTime(),
    versions: versions(),
    command: `npx gatecheck run${targetFlags(options)}${checkFlags(options)}${selectionFlags(options)} --seed ${seed}${sizeFlag(size)}`,
    stopped,
    notices,
    failsOnFlaky: options.failOnFlaky,
    interrupted: run.signal.aborted,
    isGone: execution.isGone,
    ...(spent === null ? {} : { spent }),
    checks: judged,
    missingFacts: missingFactsOf(judged),
    ...suiteFacts(run.known),
    areas: selectedAreas(register, run.selection.only),
    register,
  });
}

/** Says what is going to be judged, and what that costs, before it costs anything. */
function announce({ options, checks, seed }: Judgement, found: Preflight, plan: Plan): void {
  const { profile, lost, clockSkewMs } = found;
  const size = sizeOf(options);
  const lines = [
    ...lost.map((text) => `Lost: ${text}`),
    planInLine(plan),
    ...(clockSkewMs === 0 || profile.hooks.clock !== undefined ? [] : [`Note: ${skewInWords(clockSkewMs)}`]),
    `Judging ${declaredUrl(profile)} with ${countOf(checks.length, 'check')}, ${size}, seed ${seed}`,
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** Why a run ended before its last check; null when it did not. */
function whyStopped({ options, checks, signal }: Judgement, { results, stopped }: Execution): string | null {
  if (signal.aborted) return 'interrupted';
  if (stopped !== null) return stopped;
  return options.bail > 0 && results.length < checks.length ? `stopped after ${options.bail} failures` : null;
}

/** One result for every selected check, in the order of the checks; those that never ran say so. */
function inOrder(
  checks: readonly CheckFacts[],
  results: readonly JobResult[],
  register: Register,
  unrun: { reason: string; harness: boolean; profile: Profile },
): CheckResult[] {
  const byId = new Map(results.map(({ target: _, ...result }) => [result.id, result]));
  return checks.map(
    (check) =>
      byId.get(check.id) ??
      (unrun.harness
        ? emptyResult(check, register, 'harness-error', [unrun.reason])
        : notReached(check, register, unrun)),
  );
}

/** Rows of the oracle in place of what they would be without the exchanges of the run; those not asked for where they are broken. */
function withRows(judged: readonly CheckResult[], rows: readonly CheckResult[]): CheckResult[] {
  const isBroken = ({ failure }: CheckResult): boolean => failure !== undefined;
  const told = judged.map((result) => rows.find(({ id }) => id === result.id) ?? result);
  const others = rows.filter((row) => isBroken(row) && !judged.some(({ id }) => id === row.id));
  return [...told, ...others];
}

/** A check that a run did not come to: it lacks a fact all the same, or only its turn. */
function notReached(
  check: CheckFacts,
  register: Register,
  { reason, profile }: { readonly reason: string; readonly profile: Profile },
): CheckResult {
  const missing = missingFacts(check.needs, profile);
  if (missing.length === 0) return { ...emptyResult(check, register, 'untestable', []), not_run: reason };
  const isAbsent = missing.every((fact) => profile.absent.includes(fact));
  return emptyResult(check, register, isAbsent ? 'not-applicable' : 'untestable', missing);
}
