import type { CheckResult, Report } from 'gatecheck-reports/report';
import { declaredInWords, type Undone, undeclaredInWords } from '../../deviations/undo.ts';
import { unmappedInWords } from '../../dialects/lines-to-add.ts';
import type { CheckFacts } from '../../engine/check.ts';
import { missingFacts } from '../../engine/has-fact.ts';
import { loadCheckCosts } from '../../plan/check-costs.ts';
import { lackedFacts } from '../../plan/expected-cost.ts';
import { declaredUrl } from '../../profile/declared-url.ts';
import type { Profile } from '../../profile/profile.ts';
import { assembleReport } from '../../runner/assemble-report.ts';
import { emptyResult } from '../../runner/empty-result.ts';
import { checkFlags } from '../../runner/own-checks.ts';
import { selectedAreas } from '../../runner/select.ts';
import { standInsInWords } from '../../runner/stand-in.ts';
import { leftOut } from '../left-out.ts';
import { selectionFlags, sizeFlag, sizeOf, targetFlags } from '../run-options.ts';
import { missingFactsOf, suiteFacts } from '../suite-facts.ts';
import { versions } from '../version.ts';
import type { JudgedRun } from './judge-run.ts';
import type { PlannedRun } from './plan-run.ts';
import type { AskedRun } from './select-run.ts';

interface Circumstances {
  readonly undone: Undone;
  /** Null if the target was not probed. */
  readonly plan: PlannedRun | null;
  readonly interrupted: boolean;
}

/** The report of a run, with a result for every selected check. */
export function reportRun(
  asked: AskedRun,
  judged: JudgedRun,
  { undone, plan, interrupted }: Circumstances,
): Report {
  const { options, seed, register, checks, selection, startedAt, required } = asked;
  const { execution, stopped } = judged;
  const profile = plan?.found.profile ?? undone.profile;
  const size = plan?.size ?? sizeOf(options);
  const results = withRows(inOrder(asked, judged, profile), execution.every);
  const costs = loadCheckCosts();
  const unable = checks.filter((check) => lackedFacts(check, costs, profile).length > 0).map(({ id }) => id);
  return assembleReport({
    target: { name: profile.name, base_url: declaredUrl(profile), profile: options.target ?? null },
    waivers: profile.waivers,
    ...{ shard: selection.shard, seed, size, startedAt, stopped, interrupted, register },
    ...{ minimum: undone.profile.minimum, required },
    durationMs: Date.now() - startedAt.getTime(),
    versions: versions(),
    command: `npx gatecheck run${targetFlags(options)}${checkFlags(options)}${selectionFlags(options)} --seed ${seed}${sizeFlag(size)}`,
    notices: [
      ...execution.notices,
      ...[declaredInWords(undone)].filter((words) => words !== null),
      ...undeclaredInWords(results, undone),
      ...(undone.profile.leftOut ?? []),
      ...unmappedInWords(results, profile),
      ...standInsInWords(results),
      ...leftOut(results, size, new Set(unable)),
    ],
    failsOnFlaky: options.failOnFlaky,
    isGone: execution.isGone,
    ...(execution.spent !== null && {
      spent: { ...execution.spent, ...(profile.upstream !== undefined && { is_simulated: true }) },
    }),
    checks: results,
    missingFacts: missingFactsOf(results),
    ...suiteFacts(asked.known),
    areas: selectedAreas(register, selection.only),
    silencedBy: (rule) => profile.translation?.silences?.(rule) ?? null,
  });
}

/** One result for every selected check, in the order of the checks. Checks that never ran have a result that says why. */
function inOrder({ checks, register }: AskedRun, judged: JudgedRun, profile: Profile): CheckResult[] {
  const { execution, stopped } = judged;
  const byId = new Map(execution.results.map(({ target: _, ...result }) => [result.id, result]));
  const unrun = (check: CheckFacts): CheckResult => {
    if (stopped === null)
      return emptyResult(check, register, 'harness-error', [execution.faults[0] ?? 'not run']);
    // A check that the run did not reach may also lack a fact.
    const missing = missingFacts(check.needs, profile);
    if (missing.length === 0) return { ...emptyResult(check, register, 'untestable', []), not_run: stopped };
    const isAbsent = missing.every((fact) => profile.absent.includes(fact));
    return emptyResult(check, register, isAbsent ? 'not-applicable' : 'untestable', missing);
  };
  return checks.map((check) => byId.get(check.id) ?? unrun(check));
}

/** Replaces results by those of the rows for all exchanges of the run. Adds unselected rows only if they are violated. */
function withRows(judged: readonly CheckResult[], rows: readonly CheckResult[]): CheckResult[] {
  const isBroken = ({ failure }: CheckResult): boolean => failure !== undefined;
  const told = judged.map((result) => rows.find(({ id }) => id === result.id) ?? result);
  const others = rows.filter((row) => isBroken(row) && !judged.some(({ id }) => id === row.id));
  return [...told, ...others];
}
