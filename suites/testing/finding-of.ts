import { Violation } from '../rules/violation.ts';

/** `requirement aspect` of the rule that a judge finds broken; null where it finds none. */
export function findingOf(judge: () => unknown): string | null {
  try {
    judge();
    return null;
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return `${error.finding.requirement} ${error.finding.aspect}`;
  }
}
