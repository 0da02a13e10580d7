import { randomInt } from 'node:crypto';
import { plainText } from 'gatecheck-reports/plain-text';
import type { FuzzLimits } from '../fuzz/fuzz-options.ts';
import { type FuzzPart, fuzzParts } from '../fuzz/fuzz-options.ts';
import { collectingArgs } from '../fuzz/held-memory.ts';
import { type MemoryWatch, watchMemory } from '../fuzz/memory-watch.ts';
import { findingIn, replayFinding } from '../fuzz/replay.ts';
import type { FuzzReport } from '../fuzz/report/fuzz-report.ts';
import { reportOf } from '../fuzz/report/report-of.ts';
import { deckOf, runFuzz } from '../fuzz/run-fuzz.ts';
import { Spending } from '../fuzz/sending/spending.ts';
import { type ExitCode, exitCodes, UsageError } from '../process/exit-codes.ts';
import { declaredUrl } from '../profile/declared-url.ts';
import type { Profile } from '../profile/profile.ts';
import { type Preflight, preflight } from '../runner/preflight.ts';
import { createRedactor } from '../wire/redactor.ts';
import { budgetOf } from './budget.ts';
import { findingInWords, prepareFuzzFolder, readFuzzReport, writeFuzzReport } from './fuzz-files.ts';
import { catchInterrupts } from './interrupt.ts';
import { type TargetOptions, withTarget } from './reach-target.ts';
import { reachUndone } from './reach-undone.ts';
import { targetFlags } from './run-options.ts';
import { versions } from './version.ts';

/** The options of `gatecheck fuzz`. */
export interface FuzzOptions extends TargetOptions {
  readonly requests: number;
  readonly bodies: number;
  readonly parts: string;
  readonly only?: string;
  readonly seed?: number;
  readonly minutes?: number;
  readonly usd?: string;
  readonly prices?: string;
  readonly stallMs: number;
  readonly pid?: number;
  readonly memoryMb?: number;
  readonly out: string;
  readonly replay?: string;
}

/** `gatecheck fuzz`: malformed requests, raw bytes and expensive bodies against one deployment. */
export async function fuzzCommand(given: FuzzOptions): Promise<ExitCode> {
  const options = withTarget(given);
  const seed = options.seed ?? randomInt(2 ** 31);
  const limits = limitsOf(options, seed);
  const earlier = options.replay === undefined ? null : readFuzzReport(options.out);
  if (earlier === null) prepareFuzzFolder(options.out);
  const interrupts = catchInterrupts();
  interrupts.signal.addEventListener('abort', () =>
    process.stderr.write('Interrupted: writing the report. Interrupt again to stop at once.\n'),
  );
  const isOurs = options.reference === true;
  // Garbage collections pause other requests, so they are forced only when memory is measured.
  const collects = isOurs && options.memoryMb !== undefined;
  const target = await reachUndone(options, seed, {
    signal: interrupts.signal,
    nodeArgs: collects ? collectingArgs : [],
  });
  try {
    const redact = createRedactor(target.undone.profile, []);
    if (earlier !== null) {
      const finding = findingIn(earlier, options.replay ?? '');
      const { isSeenAgain, answer } = await replayFinding(target.undone.profile, finding, {
        signal: interrupts.signal,
        redact,
      });
      process.stdout.write(
        `${findingInWords(finding)}\n${isSeenAgain ? 'Seen again' : 'Not seen again'}: ${plainText(answer)}\n`,
      );
      return isSeenAgain ? exitCodes.failures : exitCodes.conforming;
    }
    const report = await fuzz({
      ...{ options, limits, profile: target.undone.profile, signal: interrupts.signal },
      memory: watchMemory(target.gatewayPid ?? options.pid, collects),
      isOurs,
    });
    writeFuzzReport(report, options.out);
    return report.exit_code as ExitCode;
  } finally {
    await target.stop();
    interrupts.release();
  }
}

interface Fuzzing {
  readonly options: FuzzOptions;
  readonly limits: FuzzLimits;
  readonly profile: Profile;
  readonly signal: AbortSignal;
  readonly memory: MemoryWatch;
  /** Whether the deployment is the embedded stack, whose upstreams cost nothing. */
  readonly isOurs: boolean;
}

async function fuzz({
  options,
  limits,
  profile: declared,
  signal,
  memory,
  isOurs,
}: Fuzzing): Promise<FuzzReport> {
  const startedAt = new Date();
  // Simulated upstreams cost nothing.
  const mayPay = isOurs || declared.upstream !== undefined || options.usd !== undefined;
  const found = await look(declared, signal, mayPay);
  const profile = found?.profile ?? declared;
  const spending = spendingOf(options, profile, found, mayPay);
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const late = options.minutes === undefined ? null : AbortSignal.timeout(options.minutes * 60_000);
  const run = {
    ...{ profile, limits, spending, mayPay, served: found ?? { models: [], mediaModels: [] } },
    signal: late === null ? signal : AbortSignal.any([signal, late]),
    onProgress: tenthsOf(limits, memory.reached, say),
    say,
  };
  if (found !== null) announce(options, limits, profile, { cells: deckOf(run).cells.length, mayPay });
  const outcome = found === null ? null : await runFuzz(run);
  const why = signal.aborted
    ? 'interrupted'
    : late?.aborted
      ? `the budget of ${options.minutes} minutes is spent`
      : spending.over;
  const command = `npx gatecheck fuzz${targetFlags({ ...options, full: false, bail: 0, failOnFlaky: false })}`;
  return reportOf({
    ...{ command, limits, profile, outcome, spending, startedAt, why },
    ...{
      out: options.out,
      versions: { ...versions() },
      memory: await memory.end(),
      interrupted: signal.aborted,
    },
  });
}

/** From this number of requests, which takes minutes, progress is printed. */
const longRun = 10_000;

/** Prints progress after each tenth of a long run, and passes on its items. */
function tenthsOf(
  { requests }: FuzzLimits,
  reached: MemoryWatch['reached'],
  say: (text: string) => void,
): MemoryWatch['reached'] {
  let told = 0;
  return (part, progress) => {
    reached(part, progress);
    const tenth = Math.floor(progress * 10);
    if (part !== 'fields' || requests < longRun || tenth <= told || tenth > 9) return;
    told = tenth;
    say(`  ${Math.round((tenth / 10) * requests)} of ${requests}`);
  };
}

/** The result of the first requests; null when the user interrupts. */
async function look(profile: Profile, signal: AbortSignal, pays: boolean): Promise<Preflight | null> {
  try {
    return await preflight(profile, { signal, pays });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

function spendingOf(
  options: FuzzOptions,
  profile: Profile,
  found: Preflight | null,
  mayPay: boolean,
): Spending {
  const words = options.usd === undefined ? {} : { budget: `usd=${options.usd}` };
  const prices = options.prices === undefined ? {} : { prices: options.prices };
  const { pricing, ...bounds } = budgetOf(
    { ...words, ...prices },
    profile,
    found ?? { models: [], mediaModels: [] },
  );
  return new Spending({ ...bounds, pricing, mayPay, before: found?.exchanges ?? 0 });
}

function announce(
  { usd }: FuzzOptions,
  { requests, bodies, parts, seed }: FuzzLimits,
  profile: Profile,
  { cells, mayPay }: { readonly cells: number; readonly mayPay: boolean },
): void {
  const money = !mayPay
    ? 'nothing is paid: every request has a fault that is refused for certain'
    : usd === undefined
      ? 'simulated upstreams: nothing is paid'
      : `at most ${usd} dollars, and the calls in flight`;
  const sent = [
    ...(parts.includes('fields')
      ? [`${requests} damaged requests over ${cells} pairs of field and damage`]
      : []),
    ...(parts.includes('costs') ? [`${bodies} bodies for their cost`] : []),
    ...(parts.includes('raw') ? ['the corpus of raw bytes'] : []),
  ];
  process.stderr.write(`Plan: ${sent.join(', ')}; ${money}\nFuzzing ${declaredUrl(profile)}, seed ${seed}\n`);
}

function limitsOf(
  { requests, bodies, parts, only, stallMs, memoryMb }: FuzzOptions,
  seed: number,
): FuzzLimits {
  const named = parts.split(',').map((part) => part.trim());
  const wrong = named.find((part) => !fuzzParts.some((known) => known === part));
  if (wrong !== undefined)
    throw new UsageError(`--parts: there is no part ${wrong}; parts: ${fuzzParts.join(', ')}`);
  if (requests < 0 || bodies < 0) throw new UsageError('--requests and --bodies cannot be below 0');
  const words = (only ?? '').split(',').map((word) => word.trim());
  return {
    seed,
    requests,
    bodies,
    stallMs,
    memoryMb: memoryMb ?? null,
    parts: named as FuzzPart[],
    only: words.filter((word) => word !== ''),
  };
}
