import { failuresOf } from 'gatecheck-reports/failures-of';
import type { CheckResult, Report, Size, Spent, Waiver } from 'gatecheck-reports/report';
import { summarize } from 'gatecheck-reports/summary';
import { type ExitCode, exitCodes } from '../process/exit-codes.ts';
import type { Minimums } from '../profile/conformance-profiles.ts';
import { judgeProfiles, missingEvidence } from '../rules/judge-profiles.ts';
import type { Register } from '../rules/register.ts';
import { countOf } from './count-of.ts';
import { judgeRequirements } from './requirement-verdicts.ts';
import { applyWaivers } from './waivers.ts';

export interface RunFacts {
  readonly target: Report['target'];
  readonly waivers: readonly Waiver[];
  /** Which part of the checks this is; null for all. */
  readonly shard: NonNullable<Report['shard']> | null;
  readonly seed: number;
  readonly size: Size;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly versions: Report['versions'];
  readonly command: string;
  /** Why the run stopped early; null when it completed. */
  readonly stopped: string | null;
  readonly interrupted: boolean;
  /** Whether the deployment was there no more before the end. */
  readonly isGone?: boolean;
  /** Whether flaky checks make the run red. */
  readonly failsOnFlaky?: boolean;
  /** Everything that was sent. */
  readonly spent?: Spent;
  /** What a reader of the report has to know about the run, as sentences. */
  readonly notices?: readonly string[];
  /** Every selected check in order, judged or not. */
  readonly checks: readonly CheckResult[];
  /** Ids of all existing checks. A waiver may name these, or a requirement. */
  readonly knownCheckIds: readonly string[];
  /** Requirement ids that at least one check covers, selected or not. */
  readonly coveredIds: ReadonlySet<string>;
  /** Areas that were selected completely. For these the report also lists requirements that no check covers. */
  readonly areas: ReadonlySet<string>;
  readonly register: Register;
  /** What is known of the facts that checks missed. */
  readonly missingFacts?: Report['missing_facts'];
  /** How much of which profile must be judged for the run to be green. */
  readonly minimums?: Minimums;
}

/** Assembles the report of a run: verdicts after waivers, requirements, counts, exit code and headline. */
export function assembleReport(facts: RunFacts): Report {
  const { register, shard } = facts;
  const known = new Set([...facts.knownCheckIds, ...register.keys()]);
  const { checks, problems } = applyWaivers(facts.checks, facts.waivers, {
    knownIds: known,
    today: facts.startedAt.toISOString().slice(0, 10),
    isPart: shard !== null,
  });
  const summary = summarize(checks);
  const requirements = judgeRequirements(checks, register);
  const profiles = judgeProfiles(requirements, register, facts.coveredIds);
  const minimum = facts.minimums ?? {};
  // A part of a run lacks evidence by its nature: the whole is judged when the parts are put together.
  const missing = shard === null ? missingEvidence(profiles, minimum) : [];
  const ended = {
    ...{ problems, missing },
    interrupted: facts.interrupted,
    isGone: facts.isGone ?? false,
    failsOnFlaky: facts.failsOnFlaky ?? false,
  };
  const exitCode = exitCodeOf(summary, ended);
  return {
    schema: 'gatecheck.report/2',
    target: facts.target,
    seed: facts.seed,
    size: facts.size,
    started_at: facts.startedAt.toISOString(),
    duration_ms: Math.round(facts.durationMs),
    versions: facts.versions,
    command: facts.command,
    exit_code: exitCode,
    headline: headlineOf(exitCode, summary, checks, { ...ended, stopped: facts.stopped }),
    stopped: facts.stopped,
    ...(ended.isGone && { is_gone: true }),
    ...((facts.notices ?? []).length > 0 && { notices: [...(facts.notices ?? [])] }),
    ...(shard !== null && { shard }),
    ...(Object.keys(minimum).length > 0 && { minimum: { ...minimum } }),
    ...(facts.waivers.length > 0 && { waivers: [...facts.waivers] }),
    ...(facts.spent !== undefined && { spent: facts.spent }),
    summary,
    checks: [...checks],
    requirements,
    profiles,
    not_covered: [...register.values()]
      .filter((row) => facts.areas.has(row.area) && !facts.coveredIds.has(row.id))
      .map(({ id, area, statement, not_checked = null }) => ({ id, area, statement, not_checked })),
    ...(facts.missingFacts !== undefined &&
      Object.keys(facts.missingFacts).length > 0 && { missing_facts: facts.missingFacts }),
  };
}

/** What else decides how a run ends, beside its verdicts. */
interface Ending {
  readonly interrupted: boolean;
  readonly isGone: boolean;
  readonly failsOnFlaky: boolean;
  /** What is wrong with the waivers. */
  readonly problems: readonly string[];
  /** Which required evidence there is not. */
  readonly missing: readonly string[];
}

function exitCodeOf(
  summary: Report['summary'],
  { interrupted, isGone, failsOnFlaky, problems, missing }: Ending,
): ExitCode {
  if (interrupted) return exitCodes.interrupted;
  if (summary.failed > 0 || (failsOnFlaky && summary.flaky > 0)) return exitCodes.failures;
  if (summary.errors > 0) return exitCodes.harness;
  if (isGone) return exitCodes.unreachable;
  if (problems.length > 0) return exitCodes.waivers;
  return judgedIn(summary) === 0 || missing.length > 0 ? exitCodes.unreachable : exitCodes.conforming;
}

function judgedIn({ passed, warned, observed, waived, failed }: Report['summary']): number {
  return passed + warned + observed + waived + failed;
}

function headlineOf(
  exitCode: ExitCode,
  summary: Report['summary'],
  checks: readonly CheckResult[],
  { isGone, problems, missing, stopped }: Ending & { readonly stopped: string | null },
): string {
  const judged = judgedIn(summary);
  const waived = summary.waived > 0 ? `, ${summary.waived} waived` : '';
  const flaky = summary.flaky > 0 ? `; ${summary.flaky} flaky` : '';
  const open = `${waived}${flaky}${summary.untestable > 0 ? `; ${summary.untestable} could not be tested` : ''}`;
  switch (exitCode) {
    case exitCodes.conforming:
      return `Conforming${stopped === null ? '' : ' as far as the run went'}: ${countOf(judged, 'check')} judged, none failed${open}.`;
    case exitCodes.failures: {
      const broken = new Set(
        checks
          .filter((check) => check.verdict === 'fail')
          .flatMap((check) => failuresOf(check).map(({ requirement }) => requirement)),
      );
      if (summary.failed === 0)
        return `Not conforming: none of ${countOf(judged, 'check')} failed for certain${open}.`;
      return `Not conforming: ${summary.failed} of ${countOf(judged, 'check')} failed on ${countOf(broken.size, 'requirement')}${open}${problems.map((text) => `; ${text}`).join('')}.`;
    }
    case exitCodes.harness:
      return `No verdict: ${countOf(summary.errors, 'check')} broke down; this is a fault of the suites, not of the target.`;
    case exitCodes.waivers:
      return `Waivers need care: ${problems.join('; ')}.`;
    case exitCodes.interrupted:
      return `Interrupted after ${countOf(judged, 'check')}${open}.`;
    default:
      if (isGone) return `No verdict: the deployment answered no more after ${countOf(judged, 'check')}.`;
      return judged === 0
        ? `Too little evidence: none of the ${checks.length} selected checks could be judged.`
        : `Too little evidence: ${missing.join('; ')}.`;
  }
}
