import type { CheckResult, Report, Spent } from 'gatecheck-reports/report';
import type { CheckFacts } from '../engine/check.ts';
import { dollarText, picoIn } from '../oracle/money.ts';
import { type ExitCode, UsageError } from '../process/exit-codes.ts';
import type { Register } from '../rules/register.ts';
import { assembleReport } from '../runner/assemble-report.ts';
import { knownWithOwn } from '../runner/own-checks.ts';
import { silencedIn } from '../runner/requirement-verdicts.ts';
import { openHistory, withHistory } from './history.ts';
import { mergedRows } from './merged-rows.ts';
import { readMinimums } from './read-minimums.ts';
import { readReport } from './read-report.ts';
import { missingFactsOf, suiteFacts } from './suite-facts.ts';
import { deliver, prepareFolder } from './write-reports.ts';

export interface MergeOptions {
  readonly out: string;
  readonly require?: string;
  /** As for `run`. */
  readonly history?: string;
  /** The reports of the parts. */
  readonly checks?: readonly string[];
}

/** `gatecheck merge`: merges the reports of all parts of a run (`run --shard`). */
export async function mergeCommand(files: readonly string[], options: MergeOptions): Promise<ExitCode> {
  const { checks, register } = await knownWithOwn(options.checks);
  const report = mergeReports(
    files.map((file) => readReport(file, 'REPORT')),
    { checks, register, require: options.require ?? null },
  );
  prepareFolder(options.out);
  if (options.history !== undefined) openHistory(options.history, null);
  deliver(options.history === undefined ? report : withHistory(report, options.history), options.out);
  return report.exit_code as ExitCode;
}

/** Facts that the parts of a run do not contain. */
interface Whole {
  /** All existing checks. */
  readonly checks: readonly CheckFacts[];
  readonly register: Register;
  /** The words of `--require`; null for none. */
  readonly require: string | null;
}

/**
 * @throws UsageError when the reports are not the parts of one run
 */
export function mergeReports(reports: readonly Report[], { checks, register, require }: Whole): Report {
  const parts = partsOf(reports);
  const [first] = parts;
  const byId = Map.groupBy(
    parts.flatMap((part) => part.checks),
    ({ id }) => id,
  );
  const results = new Map(
    [...byId].map(([id, [first, ...others]]) => [id, mergedRows([first as CheckResult, ...others])]),
  );
  const facts = suiteFacts(checks);
  const startedAt = parts.map((part) => part.started_at).toSorted()[0] ?? first.started_at;
  return assembleReport({
    target: first.target,
    waivers: first.waivers ?? [],
    shard: null,
    seed: first.seed,
    size: first.size,
    startedAt: new Date(startedAt),
    durationMs: Math.max(...parts.map((part) => part.duration_ms)),
    versions: first.versions,
    command: first.command.replace(/ --shard \S+/, ''),
    stopped: parts.find(({ stopped }) => stopped !== null)?.stopped ?? null,
    notices: [...new Set(parts.flatMap(({ notices = [] }) => notices))],
    ...spentIn(parts),
    interrupted: parts.some((part) => part.exit_code === 130),
    isGone: parts.some((part) => part.is_gone === true),
    checks: facts.knownCheckIds.flatMap((id) => results.get(id) ?? []),
    missingFacts: missingFactsOf([...results.values()]),
    ...facts,
    areas: new Set(first.not_covered.map(({ area }) => area)),
    register,
    silencedBy: silencedIn(parts.flatMap(({ requirements }) => requirements)),
    ...(first.minimum !== undefined && { minimum: first.minimum }),
    required: { ...first.required, ...(require === null ? {} : readMinimums(require)) },
  });
}

/** The total spending of all parts; undefined if one part does not report it. */
function spentIn(parts: readonly Report[]): { spent?: Spent } {
  const spent = parts.flatMap((part) => part.spent ?? []);
  if (spent.length < parts.length) return {};
  const sum = (of: (one: Spent) => number): number => spent.reduce((total, one) => total + of(one), 0);
  const pico = spent.map(({ usd }) => (usd === null ? null : picoIn(usd)));
  const isPriced = pico.every((one) => one !== null);
  return {
    spent: {
      exchanges: sum(({ exchanges }) => exchanges),
      paid: sum(({ paid }) => paid),
      tokens: sum(({ tokens }) => tokens),
      usd: isPriced ? dollarText(pico.reduce((total, one) => total + one, 0n)) : null,
      ...(spent.every((one) => one.is_simulated) && { is_simulated: true }),
    },
  };
}

/** The parts in their order, each once. */
function partsOf(reports: readonly Report[]): readonly [Report, ...Report[]] {
  const [first, ...rest] = reports.toSorted((a, b) => (a.shard?.part ?? 0) - (b.shard?.part ?? 0));
  if (first?.shard === undefined)
    throw new UsageError('merge takes reports of `run --shard`, and one is of a whole run');
  const { of } = first.shard;
  const places = [first, ...rest].map(({ shard }) => (shard?.of === of ? shard.part : 0));
  const missing = Array.from({ length: of }, (_, place) => place + 1).find((part) => !places.includes(part));
  if (missing !== undefined) throw new UsageError(`part ${missing} of ${of} is missing`);
  if (places.length > of) throw new UsageError(`more reports than the ${of} parts of the run`);
  for (const { seed, size, command, target } of rest) {
    // Jobs of one deployment may each have their own profile with their own accounts.
    const paths =
      target.base_url === first.target.base_url
        ? / --(?:shard \S+|target (?:'[^']*'|\S)+)/g
        : / --shard \S+/g;
    const isSame = command.replaceAll(paths, '') === first.command.replaceAll(paths, '');
    if (seed !== first.seed || size !== first.size || !isSame)
      throw new UsageError(
        'the reports are of different runs: seed, size and selection have to be the same, and the profile or its base_url',
      );
  }
  return [first, ...rest];
}
