import type { CheckResult, Report, Size, Spent, Waiver } from 'gatecheck-reports/report';
import { summarize } from 'gatecheck-reports/summary';
import type { Minimums } from '../profile/conformance-profiles.ts';
import { judgeProfiles, missingEvidence } from '../rules/judge-profiles.ts';
import type { Register } from '../rules/register.ts';
import { exitCodeOf, headlineOf } from './conclude-run.ts';
import { judgeRequirements } from './requirement-verdicts.ts';
import { applyWaivers } from './waivers.ts';
import { warnOnce } from './warn-once.ts';

export interface RunFacts {
  readonly target: Report['target'];
  readonly waivers: readonly Waiver[];
  /** The part of the checks that this run judges; null for all. */
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
  /** Whether the deployment became unreachable before the end. */
  readonly isGone?: boolean;
  /** Whether flaky checks fail the run. */
  readonly failsOnFlaky?: boolean;
  /** The totals of everything sent. */
  readonly spent?: Spent;
  /** Sentences about the run that readers of the report need. */
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
  /** The member of the profile whose mapping hides a whole rule. */
  readonly silencedBy?: (rule: string) => string | null;
  /** Details about the facts that checks missed. */
  readonly missingFacts?: Report['missing_facts'];
  /** The required minimum: `minimum` for the selected checks, `required` for the whole interface. */
  readonly minimum?: Minimums;
  readonly required?: Minimums;
}

/** Assembles the report of a run: verdicts after waivers, requirements, counts, exit code and headline. */
export function assembleReport(facts: RunFacts): Report {
  const { register, shard } = facts;
  const known = new Set([...facts.knownCheckIds, ...register.keys()]);
  const {
    checks,
    problems,
    notices: ofWaivers,
  } = applyWaivers(warnOnce(facts.checks), facts.waivers, {
    knownIds: known,
    today: facts.startedAt.toISOString().slice(0, 10),
    isPart: shard !== null,
    ...{ seed: facts.seed, size: facts.size },
  });
  const summary = summarize(checks);
  const requirements = judgeRequirements(checks, register, facts.silencedBy);
  const profiles = judgeProfiles(requirements, register, facts.coveredIds);
  const { minimum = {}, required = {} } = facts;
  // The profile's minimum applies to the selected checks, the option's to the whole interface.
  const selected = judgeProfiles(requirements, register, new Set(requirements.map(({ id }) => id)));
  const asked = selected.filter(({ rules }) => rules > 0);
  // A shard always lacks evidence. The whole is judged when the shards are merged.
  const missing =
    shard === null ? [...missingEvidence(asked, minimum), ...missingEvidence(profiles, required)] : [];
  const notices = [...(facts.notices ?? []), ...ofWaivers];
  const ended = {
    ...{ problems, missing, stopped: facts.stopped },
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
    headline: headlineOf(exitCode, summary, checks, ended),
    stopped: facts.stopped,
    ...(ended.isGone && { is_gone: true }),
    ...(notices.length > 0 && { notices }),
    ...(shard !== null && { shard }),
    ...(Object.keys(minimum).length > 0 && { minimum: { ...minimum } }),
    ...(Object.keys(required).length > 0 && { required: { ...required } }),
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
