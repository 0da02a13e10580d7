import { groupByCause } from 'gatecheck-reports/causes';
import { failuresOf } from 'gatecheck-reports/failures-of';
import { plainText } from 'gatecheck-reports/plain-text';
import type { CheckResult, Failure, Report, ReportedExchange } from 'gatecheck-reports/report';
import type { Undone } from '../deviations/undo.ts';
import { type ExitCode, exitCodes, UsageError } from '../process/exit-codes.ts';
import type { Profile } from '../profile/profile.ts';
import { execute } from '../runner/execute.ts';
import { preflight } from '../runner/preflight.ts';
import type { JobResult, JobTarget } from '../runner/run-input.ts';
import { startStack } from '../stack/stack.ts';
import { meant } from '../values/nearest.ts';
import { catchInterrupts } from './interrupt.ts';
import type { TargetOptions } from './reach-target.ts';
import { reachUndone } from './reach-undone.ts';
import { readReport } from './read-report.ts';
import { alikeIn } from './same-exchange.ts';
import { answerInWords, sideBySide } from './side-by-side.ts';

/** The options of `gatecheck replay`. */
export interface ReplayOptions extends TargetOptions {
  /** Files with checks of the user's own, as the run had them. */
  readonly checks?: readonly string[];
  /** Repeats the case against the embedded reference, too. */
  readonly beside: boolean;
}

/** `gatecheck replay`: repeats one failing case of a report, and shows the answers. */
export async function replayCommand(
  file: string,
  which: string | undefined,
  options: ReplayOptions,
): Promise<ExitCode> {
  const report = readReport(file, 'REPORT');
  const { check, failure } = failingCase(report, which);
  const interrupts = catchInterrupts();
  const target = await reachUndone({ ...targetOf(report), ...options }, report.seed, {
    signal: interrupts.signal,
  });
  const stack = options.beside
    ? await startStack({ seed: report.seed, signal: interrupts.signal }).catch(stopping(target.stop))
    : null;
  const { undone } = target;
  try {
    const main = through(await jobTarget('target', undone.profile), undone, check.id);
    // The same models and facts, so that the generator draws the same case.
    const beside =
      stack === null
        ? []
        : [
            {
              ...(await jobTarget('reference', likeTarget(stack.profile, undone.profile))),
              ...modelsOf(main),
            },
          ];
    const targets = [main, ...beside];
    const { results, faults } = await execute(
      {
        targets,
        jobs: targets.map(({ id }) => ({ target: id, check: check.id })),
        ...{ seed: report.seed, size: report.size, path: check.evidence.property?.path ?? null },
        ...{ livesOn: true, replayPrefix: 'npx gatecheck run', keepsExchanges: true },
        checkFiles: options.checks ?? [],
      },
      { concurrency: 1, bail: 0, onResult: () => undefined, signal: interrupts.signal },
    );
    const [one, other] = ['target', 'reference'].map((id) => results.find((result) => result.target === id));
    if (one === undefined) throw new Error(faults[0] ?? 'the check was not run');
    process.stdout.write(
      `${replayInWords({ was: failure, one, other: other ?? null, name: report.target.name })}\n`,
    );
    return exitCodeOf(one);
  } finally {
    await stack?.stop();
    await target.stop();
    interrupts.release();
  }
}

function stopping(stop: () => Promise<void>): (error: unknown) => Promise<never> {
  return async (error) => {
    await stop();
    throw error;
  };
}

/**
 * The check and failure that an argument names: a check by id, or a cause by requirement, with or without aspect. By default
 * the first failure.
 */
function failingCase(
  { checks }: Report,
  which: string | undefined,
): { readonly check: CheckResult; readonly failure: Failure } {
  // As the report lists them: the worst comes first.
  const places = new Map(groupByCause(checks).map(({ representative }, place) => [representative.id, place]));
  const placeOf = ({ id }: CheckResult): number => places.get(id) ?? checks.length;
  const listed = which === undefined ? checks.toSorted((a, b) => placeOf(a) - placeOf(b)) : checks;
  const cases = listed.flatMap((check) => failuresOf(check).map((failure) => ({ check, failure })));
  const found = cases.find(
    ({ check, failure: { requirement, aspect } }) =>
      which === undefined || [check.id, requirement, `${requirement} ${aspect}`].includes(which),
  );
  if (found !== undefined) return found;
  if (which === undefined) throw new UsageError('the report has no failure to repeat');
  const known = cases.flatMap(({ check, failure }) => [check.id, `${failure.requirement} ${failure.aspect}`]);
  const hint = known.length === 0 ? '; there is none in it' : meant(which, known);
  throw new UsageError(`${which} is no failed check and no cause of the report${hint}`);
}

/** How the run reached its target, as far as its report shows. */
function targetOf({ target, command }: Report): TargetOptions {
  if (target.profile !== null) return { target: target.profile };
  return command.includes(' --base-url ') ? { baseUrl: target.base_url } : { reference: true };
}

async function jobTarget(id: string, declared: Profile): Promise<JobTarget> {
  const { profile, models, mediaModels, lost, clockSkewMs } = await preflight(declared);
  return { ...{ id, stack: id, pool: id, profile }, ...{ models, mediaModels, lost, clockSkewMs } };
}

/** The deployment as the run let that check see it. */
function through(target: JobTarget, { apart }: Undone, check: string): JobTarget {
  const own = apart.find((one) => one.check === check);
  if (own === undefined) return target;
  return { ...target, profile: { ...target.profile, translation: own.profile.translation } };
}

function modelsOf({ models, mediaModels }: JobTarget): Pick<JobTarget, 'models' | 'mediaModels'> {
  return { models, mediaModels };
}

/** The reference with the same facts as the target's profile, because a check's requests depend on facts. */
function likeTarget(reference: Profile, target: Profile): Profile {
  const { upstream, ...rest } = reference;
  const among = <T extends object>(all: T, some: object): T =>
    Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(some, name))) as T;
  return {
    ...rest,
    keys: among(reference.keys, target.keys),
    tenants: target.tenants.length === 0 ? [] : reference.tenants,
    hooks: among(reference.hooks, target.hooks),
    media: target.media,
    webhooks: among(reference.webhooks, target.webhooks),
    ...(target.upstream === undefined || upstream === undefined ? {} : { upstream }),
  };
}

interface Replayed {
  /** The failure of the report. */
  readonly was: Failure;
  readonly one: JobResult;
  readonly other: JobResult | null;
  /** The name of the target. */
  readonly name: string;
}

function replayInWords({ was, one, other, name }: Replayed): string {
  const failure = failuresOf(one).find(
    ({ requirement, aspect }) => requirement === was.requirement && aspect === was.aspect,
  );
  const shown = failure ?? was;
  const exchange = failure?.exchange ?? (was.exchange && alikeIn(was.exchange, null, one.exchanges ?? []));
  return [
    `${one.id}: ${one.verdict} on ${name}${other === null ? '' : `, ${other.verdict} on the reference`}`,
    failure === undefined
      ? `  ${was.requirement} ${was.aspect} was not seen again`
      : `  ${was.requirement} ${was.aspect}: ${was.statement}`,
    plainText(`  expected ${shown.expected}`),
    plainText(`  ${failure === undefined ? 'in the report' : 'got'} ${shown.actual}`),
    ...(failure === undefined ? failuresOf(one).map(nowInWords) : []),
    ...missingLines(one, name),
    ...(other === null ? [] : missingLines(other, 'the reference')),
    '',
    exchangesInWords(exchange ?? null, { one, other, name }),
  ].join('\n');
}

/** Another failure of the check, which is why the exit code is 1. */
function nowInWords({ requirement, aspect, expected, actual }: Failure): string {
  return plainText(`  it fails now by ${requirement} ${aspect}: expected ${expected}; got ${actual}`);
}

function missingLines({ evidence, failure, verdict }: JobResult, name: string): string[] {
  if (evidence.missing.length > 0) return [`  ${name} lacks ${evidence.missing.join(', ')}`];
  return verdict === 'harness-error' && failure !== undefined
    ? [plainText(`  ${name}: ${failure.actual}`)]
    : [];
}

function exchangesInWords(
  exchange: ReportedExchange | null,
  { one, other, name }: Omit<Replayed, 'was'>,
): string {
  if (exchange === null) return 'The check shows no single exchange.';
  const alike = other === null ? null : alikeIn(exchange, one.exchanges ?? [], other.exchanges ?? []);
  if (alike !== null) return sideBySide({ name, exchange }, { name: 'the reference', exchange: alike });
  const alone = answerInWords({ name, exchange });
  return other === null ? alone : `${alone}\n\nThe reference was not asked the same.`;
}

function exitCodeOf({ verdict }: JobResult): ExitCode {
  if (verdict === 'fail') return exitCodes.failures;
  if (verdict === 'harness-error') return exitCodes.harness;
  return verdict === 'untestable' ? exitCodes.unreachable : exitCodes.conforming;
}
