import type { Verdict } from 'gatecheck-reports/report';
import type { Mutant } from '../edits/mutant.ts';

/** A check whose result differs from that on the reference, with the reason. */
export interface Deviation {
  readonly check: string;
  readonly verdict: Verdict;
  readonly requirement: string | null;
  readonly aspect: string | null;
  readonly actual: string | null;
}

/** The result for one gateway with one defect. */
export interface MutantProof {
  readonly id: string;
  readonly title: string;
  readonly kind: Mutant['kind'];
  readonly requirement: string;
  readonly aspect: string;
  /** Checks that cover the requirement, pass without the defect, and name this requirement and aspect here. */
  readonly killed_by: readonly string[];
  /** At least one check killed it. */
  readonly named_reason: boolean;
  /** Checks that failed here for another reason. */
  readonly other_failures: readonly Deviation[];
  /** Checks that ran on it. */
  readonly judged_by: readonly string[];
  /** Why it could not be run; null when it was. */
  readonly fault: string | null;
}

/** The result of one gateway that differs without breaking a rule. */
export interface VariantProof {
  readonly id: string;
  readonly title: string;
  /** Checks that complained about this gateway but not about the reference. */
  readonly false_alarms: readonly string[];
  readonly alarms: readonly Deviation[];
  readonly judged_by: readonly string[];
}

/** The kill matrix: the content of `proof.json`. Durations in ms. */
export interface Proof {
  readonly schema: 'gatecheck.proof/1';
  readonly seed: number;
  /**
   * quick: few mutants, each against the checks that it should fail; full: all, each against all checks of its
   * requirement.
   */
  readonly size: 'quick' | 'full';
  readonly started_at: string;
  readonly duration_ms: number;
  /** Nothing is missing: the list of gaps is empty. */
  readonly whole: boolean;
  readonly interrupted: boolean;
  /** What is missing, one sentence each. */
  readonly gaps: readonly string[];
  /** Gaps that disappeared or appeared when repeated under low load: one sentence each. */
  readonly unsteady: readonly string[];
  /** Checks that do not pass on the reference itself. */
  readonly baseline: readonly Deviation[];
  readonly mutants: readonly MutantProof[];
  readonly variants: readonly VariantProof[];
  readonly checks: readonly { readonly id: string; readonly killed: readonly string[] }[];
}
