import type { CheckResult, Failure, NotCovered, Report } from 'gatecheck-reports/report';
import { summarize } from 'gatecheck-reports/summary';
import { type ExitCode, exitCodes } from '../process/exit-codes.ts';
import type { Profile } from '../profile/profile.ts';
import type { Register } from '../rules/register.ts';
import { verdictOf } from '../runner/conclude.ts';
import { emptyResult } from '../runner/empty-result.ts';
import { judgeRequirements } from '../runner/requirement-verdicts.ts';
import { lackingFacts, type PassiveName, passiveChecks, passiveNames } from './passive-rules.ts';
import type { Seen, Watcher } from './watcher.ts';

export interface WatchFacts {
  readonly watcher: Pick<Watcher, 'seen' | 'unjudged' | 'passed'>;
  readonly register: Register;
  /** The deployment's profile; null without one. */
  readonly profile: Profile | null;
  /** The URL of the deployment, or the name of the file. */
  readonly what: string;
  readonly command: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly versions: Report['versions'];
  readonly stopped: string | null;
  /** Answers that name a model that was not requested and is not known to be public. */
  readonly undecided: number;
}

/** The sentence for a rule that passing traffic cannot show. */
const notPassive =
  'passing traffic cannot show it: it needs a request of its own, upstreams, accounts or time';

/** The findings in the form of all reports. */
export function watchReport(facts: WatchFacts): Report {
  const { watcher, register } = facts;
  const checks = passiveNames.map((name) => resultOf(name, watcher.seen.get(name), facts));
  const summary = summarize(checks);
  const requirements = judgeRequirements(checks, register);
  const exitCode = exitCodeOf(summary);
  const covered = new Set(requirements.map(({ id }) => id));
  return {
    schema: 'gatecheck.report/2',
    target: { name: 'watched traffic', base_url: facts.what, profile: null },
    ...{ seed: 0, size: 'quick', started_at: facts.startedAt.toISOString(), versions: facts.versions },
    ...{ duration_ms: Math.round(facts.durationMs), command: facts.command, exit_code: exitCode },
    headline: headlineOf(exitCode, summary, watcher.passed),
    stopped: facts.stopped,
    notices: noticesOf(watcher, facts.undecided),
    ...{ summary, checks, requirements },
    not_covered: [...register.values()]
      .filter(({ id }) => !covered.has(id))
      .map(
        ({ id, area, statement, not_checked }): NotCovered => ({
          ...{ id, area, statement, not_checked: not_checked ?? notPassive },
        }),
      ),
  };
}

function resultOf(
  name: PassiveName,
  seen: Seen | undefined,
  { register, profile }: Pick<WatchFacts, 'register' | 'profile'>,
): CheckResult {
  const check = passiveChecks[name];
  const judged = seen?.judged ?? 0;
  if (seen === undefined || judged === 0)
    return emptyResult(check, register, 'untestable', [
      ...lackingFacts(check, profile),
      `traffic: ${check.needs}`,
    ]);
  // Ignored advice does not hide broken MUST rules.
  const isDemanded = ({ failure }: { failure: Failure }): boolean => verdictOf(failure, register) === 'fail';
  const all = [...seen.failures.values()];
  const [first, ...others] = [...all.filter(isDemanded), ...all.filter((one) => !isDemanded(one))];
  const verdict = first === undefined ? 'pass' : verdictOf(first.failure, register);
  const result = emptyResult(check, register, verdict, []);
  const counts = [...seen.failures].map(([rule, { times }]) => `${rule}: in ${times} of ${judged} exchanges`);
  return {
    ...result,
    evidence: { ...result.evidence, cases: judged, exchanges: judged, notes: counts },
    ...(first === undefined ? {} : { failure: first.failure }),
    ...(others.length === 0 ? {} : { also: others.map(({ failure }) => failure) }),
  };
}

function exitCodeOf({ failed, passed, warned }: Report['summary']): ExitCode {
  if (failed > 0) return exitCodes.failures;
  return passed + warned > 0 ? exitCodes.conforming : exitCodes.unreachable;
}

function headlineOf(
  exitCode: ExitCode,
  { failed, passed, cases }: Report['summary'],
  exchanges: number,
): string {
  switch (exitCode) {
    case exitCodes.failures:
      return `Rules are broken in what passed: ${failed} of ${failed + passed} groups of rules fail, in ${cases} judgements of ${exchanges} exchanges.`;
    case exitCodes.conforming:
      return `Nothing is broken in what passed: ${passed} groups of rules held in ${cases} judgements of ${exchanges} exchanges.`;
    default:
      return `Nothing could be judged: ${exchanges} exchanges passed, none of them of this interface.`;
  }
}

function noticesOf({ unjudged }: Pick<Watcher, 'unjudged'>, undecided: number): string[] {
  const counts = [...unjudged].map(([why, count]) => `${count} ${why}`);
  return [
    ...(counts.length === 0 ? [] : [`Passed without being judged: ${counts.join(', ')}.`]),
    ...(undecided === 0
      ? []
      : [
          `${undecided} answers name another model than the one that was asked; whether it may stand in is not known: no list of models has passed.`,
        ]),
    'Watching sends nothing: rules that need a request of their own, upstreams, accounts or time are listed as not covered.',
  ];
}
