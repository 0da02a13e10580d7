import { failuresOf } from 'gatecheck-reports/failures-of';
import type { CheckResult, Report } from 'gatecheck-reports/report';
import { judgedIn } from 'gatecheck-reports/summary';
import { facts } from '../engine/facts.ts';
import { type ExitCode, exitCodes } from '../process/exit-codes.ts';
import { countOf } from './count-of.ts';

/** What determines how a run ends, besides its verdicts. */
export interface Ending {
  readonly interrupted: boolean;
  /** Whether the deployment could no longer be judged: it became unreachable, or its answers do not end. */
  readonly isGone: boolean;
  readonly failsOnFlaky: boolean;
  /** Why the run stopped early; null when it completed. */
  readonly stopped: string | null;
  /** The faults of the waivers. */
  readonly problems: readonly string[];
  /** The required evidence that is missing. */
  readonly missing: readonly string[];
}

/** The exit code of a run. Failures take precedence over all reasons except an interrupt. */
export function exitCodeOf(
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

/** The result as one sentence, with the share of the selected checks that could be judged. */
export function headlineOf(
  exitCode: ExitCode,
  summary: Report['summary'],
  checks: readonly CheckResult[],
  { isGone, problems, missing, stopped }: Ending,
): string {
  const judged = judgedIn(summary);
  const [share, open] = [shareOf(judged, summary, checks), openIn(summary, checks)];
  switch (exitCode) {
    case exitCodes.conforming:
      if (stopped !== null) return `Conforming as far as the run went: ${share} judged, none failed${open}.`;
      return judged + summary.not_applicable === checks.length
        ? `Conforming: ${share} judged, none failed${open}.`
        : `Conforming in what was judged: ${share}${open}.`;
    case exitCodes.failures:
      return `Not conforming: ${failedIn(summary, checks)}${open}${problems.map((text) => `; ${text}`).join('')}.`;
    case exitCodes.harness:
      return `No verdict: ${countOf(summary.errors, 'check')} broke down; this is a defect of Gatecheck, not of the target.`;
    case exitCodes.waivers:
      return `Correct these waivers: ${problems.join('; ')}.`;
    case exitCodes.interrupted:
      return `Interrupted after ${share}${open}.`;
    default:
      if (isGone)
        return `No verdict after ${countOf(judged, 'check')}: ${stopped ?? 'the deployment stopped answering'}.`;
      return judged === 0
        ? `Too little evidence: none of the ${checks.length} selected checks could be judged.`
        : `Too little evidence: ${missing.join('; ')}.`;
  }
}

/** `223 of 746 checks`, or `746 checks` when all applicable checks were judged. */
function shareOf(judged: number, summary: Report['summary'], checks: readonly CheckResult[]): string {
  const applying = checks.length - summary.not_applicable;
  return judged === applying ? countOf(judged, 'check') : `${judged} of ${countOf(applying, 'check')}`;
}

/** Whether a check lacks a fact. The text may add the reason: `hooks.clock: it does not answer`. */
function isFact(missing: string): boolean {
  return facts.some((fact) => missing === fact || missing.startsWith(`${fact}:`));
}

/** The counts of checks that were not judged, or do not count as failed. */
function openIn(summary: Report['summary'], checks: readonly CheckResult[]): string {
  const unrun = checks.filter(({ not_run: reason }) => reason !== undefined).length;
  const lacking = checks.filter(
    ({ verdict, evidence }) => verdict === 'untestable' && evidence.missing.some(isFact),
  ).length;
  const unable = summary.untestable - unrun - lacking;
  const parts: [number, string][] = [
    [lacking, `${lacking === 1 ? 'needs' : 'need'} facts`],
    [unable, 'could not be judged'],
    [unrun, 'not run'],
    [summary.flaky, 'flaky'],
    [summary.errors, 'broke down'],
    [summary.not_applicable, 'declared absent'],
  ];
  const open = parts.filter(([count]) => count > 0).map(([count, words]) => `; ${count} ${words}`);
  return `${summary.waived > 0 ? `, ${summary.waived} waived` : ''}${open.join('')}`;
}

function failedIn(summary: Report['summary'], checks: readonly CheckResult[]): string {
  if (summary.failed === 0) return 'none failed for certain';
  const failures = checks.filter(({ verdict }) => verdict === 'fail').flatMap(failuresOf);
  const broken = new Set(failures.map(({ requirement }) => requirement));
  return `${summary.failed} of ${countOf(judgedIn(summary), 'judged check')} failed, on ${countOf(broken.size, 'requirement')}`;
}
