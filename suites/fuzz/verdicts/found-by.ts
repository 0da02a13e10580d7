import { collecting, type Finding, Violation } from '../../rules/violation.ts';
import { failure, type Verdict, warning } from './findings.ts';

/** The findings of an oracle of the suites, one for each rule, whether the oracle throws or continues. */
export function foundBy(judge: () => unknown): Verdict[] {
  const found: Verdict[] = [];
  const take = (finding: Finding): void => {
    found.push(verdictOf(finding));
  };
  try {
    collecting(take, judge);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    take(error.finding);
  }
  return found;
}

function verdictOf({ requirement, aspect, expected, actual, isAdvice }: Finding): Verdict {
  return (isAdvice ? warning : failure)(`${requirement} ${aspect}`, expected, actual);
}
