import type { DrillReport, JudgedThreshold } from 'gatecheck-reports/drill/drill-report';
import { exitCodes } from '../process/exit-codes.ts';
import { measure } from './measure.ts';
import type { DrillOutcome, DrillRun } from './run-drill.ts';
import { seriesOf } from './series.ts';
import { judgeThreshold } from './thresholds.ts';

export interface DrillFacts {
  readonly run: DrillRun;
  readonly outcome: DrillOutcome;
  readonly command: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly versions: Readonly<Record<string, string>>;
}

const mostExamples = 10;

/** Builds the complete report of a drill. */
export function drillReportOf({
  run,
  outcome,
  command,
  startedAt,
  endedAt,
  versions,
}: DrillFacts): DrillReport {
  const { scenario, profile } = run;
  const { traffic } = outcome;
  const { records } = traffic;
  const measured = measure(traffic);
  const thresholds = scenario.thresholds.map((one) =>
    judgeThreshold(one, measured[one.measure], traffic.lateMs),
  );
  const bad = records.filter(({ outcome: { kind } }) => kind === 'wrong' || kind === 'truncated');
  const codes = Map.groupBy(records, ({ outcome: { code } }) => code);
  return {
    ...{ schema: 1, kind: 'drill', command, versions },
    scenario: { name: scenario.file.name, description: scenario.file.description ?? null },
    target: { name: profile.name, base_url: profile.base_url },
    ...{ seed: run.seed, rate: run.rate, seconds: run.forMs / 1_000, speed: run.speed },
    started_at: startedAt.toISOString(),
    duration_ms: endedAt.getTime() - startedAt.getTime(),
    ...verdictOf(scenario.file.name, thresholds, outcome.stopped),
    ...{ stopped: outcome.stopped, calls: records.length, measures: measured, thresholds },
    ...(traffic.tasks === null ? {} : { tasks: traffic.tasks }),
    codes: [...codes]
      .map(([code, some]) => ({ code, calls: some.length }))
      .toSorted((one, other) => other.calls - one.calls || (one.code < other.code ? -1 : 1)),
    phases: outcome.phases.phases(scenario.file, traffic.endMs),
    well_from_s: traffic.wellFromMs === null ? null : traffic.wellFromMs / 1_000,
    ...seriesOf(traffic),
    examples: bad.slice(0, mostExamples).map(({ atMs, outcome: { kind, detail } }) => ({
      ...{ at_s: atMs / 1_000, what: kind, detail },
    })),
  };
}

function verdictOf(
  name: string,
  thresholds: readonly JudgedThreshold[],
  stopped: string | null,
): Pick<DrillReport, 'exit_code' | 'headline'> {
  const failed = thresholds.filter(({ holds }) => holds === false);
  const open = thresholds.filter(({ holds }) => holds === null);
  const lists = (some: readonly JudgedThreshold[]): string =>
    some.map(({ text, seen }) => `${text} (${seen})`).join('; ');
  if (stopped !== null)
    return { exit_code: exitCodes.interrupted, headline: `${name} was stopped before its end.` };
  if (failed.length > 0)
    return {
      exit_code: exitCodes.failures,
      headline: `${name}: ${failed.length} of ${thresholds.length} thresholds fail: ${lists(failed)}.`,
    };
  if (open.length > 0)
    return { exit_code: exitCodes.unreachable, headline: `${name}: not measured: ${lists(open)}.` };
  return { exit_code: exitCodes.conforming, headline: `${name}: all ${thresholds.length} thresholds hold.` };
}
