import type { CheckFacts } from '../../suites/engine/check.ts';
import { type Fact, facts } from '../../suites/engine/facts.ts';
import { factHints } from '../../suites/runner/fact-hints.ts';
import { tableOf } from './table-of.ts';

const beginning = `# Why is this check untestable?

A check is *untestable* when your profile lacks a fact that it needs. The report names the fact. Find it below, and declare what the
second column names. [The annotated profile](../fixtures/targets/example.yaml) shows how to write it.

    npx gatecheck doctor --target my-gateway.yaml     # the facts that unlock most checks, and the lines to add

If your gateway does not have the feature at all, list the fact under \`absent\`. Its checks are then *not applicable*.`;

/** The page that lists every fact of a profile, with what to declare and the checks that need it. */
export function factPage(checks: readonly CheckFacts[]): string {
  const rows = facts
    .filter((fact) => fact !== 'keys.K1' && checks.some(({ needs }) => needs.includes(fact)))
    .map((fact) => [`\`${fact}\``, factHints[fact], ...needing(fact, checks)])
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  const table = tableOf(['fact', 'declare', 'checks', 'of them without other facts', 'areas'], rows);
  return `${beginning}\n\n${table}\n`;
}

function needing(fact: Fact, checks: readonly CheckFacts[]): string[] {
  const needed = checks.filter(({ needs }) => needs.includes(fact));
  const alone = needed.filter(({ needs }) => needs.every((one) => one === fact || one === 'keys.K1'));
  const areas = new Set(needed.map(({ requirements: [first] }) => first.split('-')[0] ?? ''));
  return [String(needed.length), String(alone.length), [...areas].toSorted().join(', ')];
}
