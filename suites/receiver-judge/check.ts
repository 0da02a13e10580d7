import type { CaseJudge } from './case-judge.ts';

/** One check of a receiver. It passes by returning; it throws a Violation or Untestable. */
export interface ReceiverCheck {
  readonly id: string;
  readonly title: string;
  /** The rule that it judges. */
  readonly rule: string;
  /**
   * Checks whose failure explains a failure of this one. It is not judged then, so that each defect is reported
   * once.
   * With `aspects`, only a failure that names one of them counts.
   */
  readonly after: readonly Prerequisite[];
  run(caseJudge: CaseJudge): Promise<void>;
}

export interface Prerequisite {
  readonly check: string;
  readonly aspects?: readonly string[];
}
