import { areaName } from 'gatecheck-reports/areas';
import type { CheckFacts } from '../../suites/engine/check.ts';
import { loadRegister } from '../../suites/rules/register.ts';
import { tableOf } from './table-of.ts';

const beginning = `# Every rule and its checks

The rules are in words of our own; [readings.md](../fixtures/readings.md) says how we read what the specification leaves open.
\`MUST*\` is binding by such a reading. \`npx gatecheck explain LIM-004\`, or the id of a check, shows the defects that turn it red
and the facts that it needs. \`npx gatecheck run --only LIM-004\` judges one rule.`;

/** The page that lists every rule of the register with the checks that judge it. */
export function rulePage(checks: readonly CheckFacts[]): string {
  const rules = [...loadRegister().values()];
  const sections = [...new Set(rules.map(({ area }) => area))].map((area) => {
    const rows = rules
      .filter((rule) => rule.area === area)
      .map(({ id, level, statement, not_checked: reason }) => [
        id,
        level,
        statement,
        checksOf(id, checks) || `not observable: ${reason}`,
      ]);
    return `## ${area}: ${areaName(area)}\n\n${tableOf(['rule', 'level', 'statement', 'checks'], rows)}`;
  });
  return `${[beginning, ...sections].join('\n\n')}\n`;
}

const checksOf = (rule: string, checks: readonly CheckFacts[]): string =>
  checks
    .filter(({ requirements }) => requirements.includes(rule))
    .map(({ id }) => `\`${id}\``)
    .join(', ');
