import { Violation } from '../rules/violation.ts';

/** `requirement aspect` of the rule that a judge reports as broken; null when it reports none. */
export function findingOf(judge: () => unknown): string | null {
  try {
    judge();
    return null;
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return `${error.finding.requirement} ${error.finding.aspect}`;
  }
}
