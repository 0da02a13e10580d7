import type { CheckResult, Size } from 'gatecheck-reports/report';
import { isJudged } from 'gatecheck-reports/verdict-words';
import { countOf } from '../runner/count-of.ts';

/** Maximum number of rules to name. */
const most = 20;

/**
 * Sentences about what a short run left out: rules that no check reached, and untried cases of the others.
 * @param unable ids of checks that lack a fact: more time would not have judged them
 */
export function leftOut(
  checks: readonly CheckResult[],
  size: Size,
  unable: ReadonlySet<string> = new Set(),
): string[] {
  const judged = new Set(checks.filter(({ verdict }) => isJudged(verdict)).flatMap(rulesOf));
  const unrun = checks.filter(({ id, not_run: reason }) => reason !== undefined && !unable.has(id));
  const rules = [...new Set(unrun.flatMap(rulesOf))].filter((id) => !judged.has(id)).toSorted();
  const more = rules.length > most ? ` and ${rules.length - most} more` : '';
  return [
    ...(size === 'smoke' ? ['smoke size: each check tried few of its cases'] : []),
    ...(rules.length === 0
      ? []
      : [
          `${countOf(rules.length, 'rule')} not reached in this run: ${rules.slice(0, most).join(', ')}${more}`,
        ]),
  ];
}

function rulesOf({ requirements }: CheckResult): readonly string[] {
  return requirements;
}
