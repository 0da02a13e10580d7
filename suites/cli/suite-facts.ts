import type { CheckResult, MissingFact } from 'gatecheck-reports/report';
import { linesOf } from '../doctor/profile-text.ts';
import type { CheckFacts } from '../engine/check.ts';
import { type Fact, facts } from '../engine/facts.ts';
import type { RunFacts } from '../runner/assemble-report.ts';
import { factHints } from '../runner/fact-hints.ts';

/** The facts of all checks that a report needs, selected or not. */
export function suiteFacts(checks: readonly CheckFacts[]): Pick<RunFacts, 'knownCheckIds' | 'coveredIds'> {
  return {
    knownCheckIds: checks.map(({ id }) => id),
    coveredIds: new Set(checks.flatMap(({ requirements }) => requirements)),
  };
}

function isFact(word: string): word is Fact {
  return facts.some((fact) => fact === word);
}

/** How to declare each fact that one of the checks missed. */
export function missingFactsOf(checks: readonly CheckResult[]): Record<string, MissingFact> {
  const missing = checks.flatMap(({ verdict, evidence }) =>
    verdict === 'untestable' ? evidence.missing : [],
  );
  const known = [...new Set(missing)].filter(isFact);
  return Object.fromEntries(
    known.map((fact) => [fact, { hint: factHints[fact], yaml: linesOf(fact, 0).trimEnd() || null }]),
  );
}
