import type { CheckResult, Summary } from './report.ts';
import { verdictWords } from './verdict-words.ts';

/** Number of checks whose verdict says something about the deployment. */
export function judgedIn({ passed, warned, observed, waived, failed }: Summary): number {
  return passed + warned + observed + waived + failed;
}

/** Counts checks by verdict, and adds up the cases tried and the exchanges made. */
export function summarize(checks: readonly CheckResult[]): Summary {
  const summary: Summary = {
    passed: 0,
    failed: 0,
    flaky: 0,
    warned: 0,
    observed: 0,
    not_applicable: 0,
    untestable: 0,
    waived: 0,
    errors: 0,
    cases: 0,
    exchanges: 0,
  };
  for (const check of checks) {
    summary[verdictWords[check.verdict].count] += 1;
    summary.cases += check.evidence.cases;
    summary.exchanges += check.evidence.exchanges;
  }
  return summary;
}
