import { failuresOf } from '../../reports/failures-of.ts';
import type { CheckResult, Report } from '../../reports/report.ts';
import { summarize } from '../../reports/summary.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Profile } from '../profile/profile.ts';
import type { Register } from '../rules/register.ts';
import { countOf } from './count-of.ts';
import { judgeRequirements } from './requirement-verdicts.ts';
import { applyWaivers } from './waivers.ts';

export interface RunFacts {
  readonly profile: Profile;
  readonly profilePath: string | null;
  readonly seed: number;
  readonly size: 'quick' | 'full';
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly versions: Report['versions'];
  readonly command: string;
  /** Why the run stopped early; null when it completed. */
  readonly stopped: string | null;
  readonly interrupted: boolean;
  /** Every selected check in order, judged or not. */
  readonly checks: readonly CheckResult[];
  /** Ids of all existing checks. A waiver may name these, or a requirement. */
  readonly knownCheckIds: readonly string[];
  /** Requirement ids that at least one check covers, selected or not. */
  readonly coveredIds: ReadonlySet<string>;
  /** Areas that were selected completely. For these the report also lists requirements that no check covers. */
  readonly areas: ReadonlySet<string>;
  readonly register: Register;
}

/** Assembles the report of a run: verdicts after waivers, requirements, counts, exit code and headline. */
export function assembleReport(facts: RunFacts): Report {
  const { register, profile } = facts;
  const known = new Set([...facts.knownCheckIds, ...register.keys()]);
  const { checks, problems } = applyWaivers(
    facts.checks,
    profile,
    known,
    facts.startedAt.toISOString().slice(0, 10),
  );
  const summary = summarize(checks);
  const exitCode = exitCodeOf(summary, facts.interrupted, problems.length > 0);
  return {
    schema: 'gatecheck.report/2',
    target: { name: profile.name, base_url: profile.base_url, profile: facts.profilePath },
    seed: facts.seed,
    size: facts.size,
    started_at: facts.startedAt.toISOString(),
    duration_ms: Math.round(facts.durationMs),
    versions: facts.versions,
    command: facts.command,
    exit_code: exitCode,
    headline: headlineOf(exitCode, summary, checks, problems, facts.stopped),
    stopped: facts.stopped,
    summary,
    checks: [...checks],
    requirements: judgeRequirements(checks, register),
    not_covered: [...register.values()]
      .filter((row) => facts.areas.has(row.area) && !facts.coveredIds.has(row.id))
      .map(({ id, area, statement, not_checked = null }) => ({ id, area, statement, not_checked })),
  };
}

function exitCodeOf(summary: Report['summary'], interrupted: boolean, waiverProblems: boolean): ExitCode {
  if (interrupted) return exitCodes.interrupted;
  if (summary.failed > 0) return exitCodes.failures;
  if (summary.errors > 0) return exitCodes.harness;
  if (waiverProblems) return exitCodes.waivers;
  const judged = summary.passed + summary.warned + summary.observed + summary.waived;
  return judged === 0 ? exitCodes.unreachable : exitCodes.conforming;
}

function headlineOf(
  exitCode: ExitCode,
  summary: Report['summary'],
  checks: readonly CheckResult[],
  problems: readonly string[],
  stopped: string | null,
): string {
  const judged = summary.passed + summary.warned + summary.observed + summary.waived + summary.failed;
  const open = summary.untestable > 0 ? `; ${summary.untestable} could not be tested` : '';
  switch (exitCode) {
    case exitCodes.conforming:
      return `Conforming: ${countOf(judged, 'check')} judged, none failed${open}.`;
    case exitCodes.failures: {
      const broken = new Set(
        checks
          .filter((check) => check.verdict === 'fail')
          .flatMap((check) => failuresOf(check).map(({ requirement }) => requirement)),
      );
      return `Not conforming: ${summary.failed} of ${countOf(judged, 'check')} failed on ${countOf(broken.size, 'requirement')}${open}.`;
    }
    case exitCodes.harness:
      return `No verdict: ${countOf(summary.errors, 'check')} broke down; this is a fault of the suites, not of the target.`;
    case exitCodes.waivers:
      return `Waivers need care: ${problems.join('; ')}.`;
    case exitCodes.interrupted:
      return `Interrupted after ${countOf(judged, 'check')}${stopped ? `: ${stopped}` : ''}.`;
    default:
      return `Too little evidence: none of the ${checks.length} selected checks could be judged.`;
  }
}
