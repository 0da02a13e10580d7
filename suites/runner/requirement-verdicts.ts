import { failuresOf, foundBy } from 'gatecheck-reports/failures-of';
import type { CheckResult, RequirementResult } from 'gatecheck-reports/report';
import { type Register, requirementOf } from '../rules/register.ts';

/**
 * The verdict on each requirement that a selected check covers or that a failure names. A requirement passes only
 * when every covering check passed, apart from checks that do not apply. A requirement proved in part is not
 * proved.
 * @param silencedBy the member of the profile whose mapping hides a whole rule: calls pass although they may break it
 */
export function judgeRequirements(
  checks: readonly CheckResult[],
  register: Register,
  silencedBy: (rule: string) => string | null = () => null,
): RequirementResult[] {
  const ids = new Set(
    checks.flatMap((check) => [
      ...check.requirements,
      ...foundBy(check).map(({ requirement }) => requirement),
    ]),
  );
  return [...register.keys()]
    .filter((id) => ids.has(id))
    .map((id) => {
      const row = requirementOf(register, id);
      const covering = checks.filter((check) => check.requirements.includes(id) && !sawNothing(check));
      const blamed = checks.filter((check) =>
        failuresOf(check).some(({ requirement }) => requirement === id),
      );
      const accepted = checks.find((check) =>
        (check.accepted ?? []).some(({ requirement }) => requirement === id),
      );
      const { verdict, reason } =
        blamed.length === 0 && accepted !== undefined
          ? { verdict: 'waived' as const, reason: `what ${accepted.id} found of it is waived` }
          : unlessSilenced(judge(id, covering, blamed), silencedBy(id));
      return {
        id,
        area: row.area,
        level: row.level,
        statement: row.statement,
        section: row.section,
        verdict,
        reason,
        checks: [...new Set([...covering, ...blamed].map((check) => check.id))],
      };
    });
}

type Judged = Pick<RequirementResult, 'verdict' | 'reason'>;

const hidden = 'hidden by ';

/** The member of the profile that hides a rule, by the reports of other parts of a run. */
export function silencedIn(parts: readonly RequirementResult[]): (rule: string) => string | null {
  const members = new Map(
    parts.flatMap(({ id, reason }) =>
      reason?.startsWith(hidden) === true ? [[id, reason.slice(hidden.length)] as const] : [],
    ),
  );
  return (rule) => members.get(rule) ?? null;
}

function unlessSilenced(judged: Judged, member: string | null): Judged {
  return member === null || judged.verdict !== 'pass'
    ? judged
    : { verdict: 'untestable', reason: `${hidden}${member}` };
}

/** Whether a row about every exchange had nothing to judge. Then it does not affect what other checks prove. */
function sawNothing({ id, verdict }: CheckResult): boolean {
  return id.startsWith('every.') && verdict === 'untestable';
}

function judge(id: string, covering: readonly CheckResult[], blamed: readonly CheckResult[]): Judged {
  for (const verdict of ['fail', 'harness-error', 'flaky', 'waived', 'warn', 'observed'] as const) {
    const found = blamed.find((check) => check.verdict === verdict);
    if (found) {
      const failure = failuresOf(found).find(({ requirement }) => requirement === id);
      return { verdict, reason: failure?.actual ?? null };
    }
  }
  const stopped = covering.find((check) => check.failure && check.failure.requirement !== id);
  if (stopped)
    return { verdict: 'untestable', reason: `${stopped.id} stopped at ${stopped.failure?.requirement}` };
  const untestable = covering.find((check) => check.verdict === 'untestable');
  if (untestable) {
    const partly = covering.some((check) => check.verdict === 'pass') ? 'proved in part; ' : '';
    return {
      verdict: 'untestable',
      reason: `${partly}missing: ${untestable.evidence.missing.join(', ') || 'not run'}`,
    };
  }
  if (covering.every((check) => check.verdict === 'not-applicable'))
    return { verdict: 'not-applicable', reason: 'declared absent' };
  return { verdict: 'pass', reason: null };
}
