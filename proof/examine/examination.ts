import type { Verdict } from 'gatecheck-reports/report';

/** The check that turned red on a mutant, twice, and stayed green on the reference beside it. */
export interface Kill {
  readonly check: string;
  /** `harness-error`: the check itself broke, which ends a run as no judged failure does. */
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

/** One mutant and what became of it. */
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
  /** How many checks judged it, of how many that were to: all, or those that run the place. */
  readonly judged: number;
  readonly checks: number;
  /** The last look that it had: 1 alone, 2 together with other survivors; 0 where no check runs it. */
  readonly look: 0 | 1 | 2;
  /** Checks that warned, which is no kill. */
  readonly warned_by: readonly string[];
  /** Checks that could not be judged on it, which is none either. */
  readonly untestable: readonly string[];
  /** Failures that did not come again, or came on the reference as well. */
  readonly unsteady: readonly string[];
}

/** The content of `examination.json`. Durations in ms. */
export interface Examination {
  readonly schema: 'gatecheck.examination/1';
  readonly seed: number;
  readonly started_at: string;
  readonly duration_ms: number;
  /** How many mutants there are where the sample was drawn. */
  readonly drawn_from: number;
  /** How many were drawn; fewer were examined when it was interrupted or broke down. */
  readonly drawn: number;
  readonly interrupted: boolean;
  /** Why the stack or the runner broke down; null when they did not. */
  readonly broken: string | null;
  readonly mutants: readonly Examined[];
}

/** Whether it survived a first look and is to have a second one. What it has survived by all of its checks is final. */
export function awaitsSecondLook({ outcome, judged, checks, look }: Examined): boolean {
  return outcome.startsWith('survived-') && judged < checks && look !== 2;
}

/** The figures of an examination. */
export interface Score {
  readonly of: Readonly<Record<Outcome, number>>;
  /** Of those killed, those where only the check itself broke. */
  readonly by_harness_error: number;
  /** (killed + no-start) / (all that were run − equivalent); null when there is nothing to divide by. */
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
