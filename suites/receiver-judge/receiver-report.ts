import type { CheckResult, Report } from 'gatecheck-reports/report';
import { summarize } from 'gatecheck-reports/summary';
import { type ExitCode, exitCodes } from '../process/exit-codes.ts';
import { countOf } from '../runner/count-of.ts';
import { judgeRequirements } from '../runner/requirement-verdicts.ts';
import { receiverRules } from './rules.ts';

export interface JudgementFacts {
  readonly url: string;
  readonly seed: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly versions: Report['versions'];
  readonly command: string;
  readonly interrupted: boolean;
  readonly checks: readonly CheckResult[];
}

/**
 * The results of a receiver in the shape of all reports. Unlike a run, it conforms only when every check was
 * judged.
 */
export function receiverReport(facts: JudgementFacts): Report {
  const { checks, interrupted } = facts;
  const summary = summarize(checks);
  const exitCode = exitCodeOf(summary, interrupted);
  return {
    schema: 'gatecheck.report/2',
    target: { name: 'receiver', base_url: facts.url, profile: null },
    seed: facts.seed,
    size: 'quick',
    started_at: facts.startedAt.toISOString(),
    duration_ms: Math.round(facts.durationMs),
    versions: facts.versions,
    command: facts.command,
    exit_code: exitCode,
    headline: headlineOf(exitCode, summary, checks),
    stopped: interrupted ? 'interrupted' : null,
    summary,
    checks: [...checks],
    requirements: judgeRequirements(checks, receiverRules),
    not_covered: [],
  };
}

function exitCodeOf(summary: Report['summary'], interrupted: boolean): ExitCode {
  if (interrupted) return exitCodes.interrupted;
  if (summary.failed > 0) return exitCodes.failures;
  if (summary.errors > 0) return exitCodes.harness;
  return summary.untestable > 0 ? exitCodes.unreachable : exitCodes.conforming;
}

function headlineOf(exitCode: ExitCode, summary: Report['summary'], checks: readonly CheckResult[]): string {
  const judged = summary.passed + summary.warned + summary.failed;
  const advice = summary.warned > 0 ? `; ${countOf(summary.warned, 'warning')}` : '';
  const open = summary.untestable > 0 ? `; ${summary.untestable} not judged` : '';
  switch (exitCode) {
    case exitCodes.conforming:
      return `The receiver conforms: ${countOf(judged, 'check')} judged, none failed${advice}.`;
    case exitCodes.failures:
      return `Not safe yet: ${summary.failed} of ${countOf(judged, 'check')} failed${advice}${open}.`;
    case exitCodes.harness:
      return `No verdict: ${countOf(summary.errors, 'check')} broke down; this is a fault of the suites, not of the receiver.`;
    case exitCodes.interrupted:
      return `Interrupted after ${countOf(judged, 'check')}.`;
    default: {
      const missing = [...new Set(checks.flatMap(({ evidence }) => evidence.missing))];
      return `Too little evidence: nothing failed in ${countOf(judged, 'check')}, but ${summary.untestable} could not be judged; what is missing: ${missing.join('; ')}.`;
    }
  }
}
