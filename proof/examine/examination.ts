import type { Verdict } from 'gatecheck-reports/report';

/** The check that failed on a mutant twice, and passed on the reference meanwhile. */
export interface Kill {
  readonly check: string;
  /** `harness-error`: the check itself broke on this mutant. Unlike a failure, this would end a normal run. */
  readonly verdict: Verdict;
  readonly requirement: string | null;
  readonly aspect: string | null;
  readonly actual: string | null;
}

/**
 * What became of a mutant:
 * - `killed`: a check failed
 * - `no-start`: the gateway did not start, or did not answer the first requests of a run
 * - `survived-…`: no check failed; the notes call it equivalent or open, or do not know it
 * - `not-run`: the gateway was ready without having loaded the file, so that there was nothing to judge
 */
export const outcomes = [
  'killed',
  'no-start',
  'survived-open',
  'survived-equivalent',
  'survived-unclassed',
  'not-run',
] as const;
export type Outcome = (typeof outcomes)[number];

/** One mutant and its outcome. */
export interface Examined {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly operator: string;
  readonly diff: readonly string[];
  readonly find: string;
  readonly replace: string;
  readonly outcome: Outcome;
  readonly killed_by: Kill | null;
  /** Why it was not started or not run; null where it was. */
  readonly fault: string | null;
  readonly note: { readonly why: string; readonly requirement: string | null } | null;
  /** Number of checks that judged it, and number that should: all checks, or those that run its code. */
  readonly judged: number;
  readonly checks: number;
  /** The last round it was in: 1 alone, 2 together with other survivors; 0 if no check runs its code. */
  readonly look: 0 | 1 | 2;
  /** Checks that warned; a warning is not a kill. */
  readonly warned_by: readonly string[];
  /** Checks that were untestable on it; these are not kills either. */
  readonly untestable: readonly string[];
  /** Failures that did not recur, or occurred on the reference as well. */
  readonly unsteady: readonly string[];
}

/** The content of `examination.json`. Durations in ms. */
export interface Examination {
  readonly schema: 'gatecheck.examination/1';
  readonly seed: number;
  readonly started_at: string;
  readonly duration_ms: number;
  /** Number of mutants from which the sample was drawn. */
  readonly drawn_from: number;
  /** Number of drawn mutants; fewer were examined if the examination was interrupted or broke down. */
  readonly drawn: number;
  readonly interrupted: boolean;
  /** Why the stack or the runner broke down; null if neither did. */
  readonly broken: string | null;
  readonly mutants: readonly Examined[];
}

/** Whether it survived the first round and needs the second one. A mutant that survived all of its checks is final. */
export function awaitsSecondLook({ outcome, judged, checks, look }: Examined): boolean {
  return outcome.startsWith('survived-') && judged < checks && look !== 2;
}

/** The figures of an examination. */
export interface Score {
  readonly of: Readonly<Record<Outcome, number>>;
  /** Number of kills in which only the check itself broke. */
  readonly by_harness_error: number;
  /** (killed + no-start) / (all that were run − equivalent); null if the divisor is zero. */
  readonly ratio: number | null;
}

export function scoreOf(mutants: readonly Examined[]): Score {
  const count = (outcome: Outcome): number => mutants.filter((one) => one.outcome === outcome).length;
  const of = Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Record<
    Outcome,
    number
  >;
  const counted = mutants.length - of['not-run'] - of['survived-equivalent'];
  return {
    of,
    by_harness_error: mutants.filter((one) => one.killed_by?.verdict === 'harness-error').length,
    ratio: counted === 0 ? null : (of.killed + of['no-start']) / counted,
  };
}
