import type { CheckResult, ReportedExchange, Size, Spent } from 'gatecheck-reports/report';
import type { Profile } from '../profile/profile.ts';
import type { BudgetInput } from './run-budget.ts';

/** A gateway to be judged. Several targets may share one stack: its tenants, its clock and its upstreams. */
export interface JobTarget {
  readonly id: string;
  readonly stack: string;
  /** Targets with the same pool share the tenants of the profile. */
  readonly pool: string;
  readonly profile: Profile;
  /** The chat models, and the image, video and audio models. */
  readonly models: readonly string[];
  readonly mediaModels: readonly string[];
  /** How far its clock is ahead of ours by its `Date` headers, ms; 0 if absent. */
  readonly clockSkewMs?: number;
  /** How many calls the cap refused before the run had sent any other; 0 if absent. */
  readonly refusedBefore?: number;
  /** What the profile declares but the deployment lacks: one message each, beginning with the fact. */
  readonly lost?: readonly string[];
}

/** One check against one target. */
export interface Job {
  readonly target: string;
  readonly check: string;
}

/** Everything that the jobs of a run need, as plain data. */
export interface RunInput {
  readonly targets: readonly JobTarget[];
  readonly jobs: readonly Job[];
  readonly seed: number;
  readonly size: Size;
  readonly path: string | null;
  /** Whether the target outlives the run. If so, the run lets it recover from the scripted failures at the end. */
  readonly livesOn: boolean;
  /** The command that starts the same run again, without the options that select checks. */
  readonly replayPrefix: string;
  /** Whether results have all exchanges of their checks. */
  readonly keepsExchanges?: boolean;
  /** Files with checks of the user's own; none, if absent. */
  readonly checkFiles?: readonly string[];
  /** The limits of all jobs together; none if absent. */
  readonly budget?: BudgetInput;
  /**
   * Whether failed checks, if there are few, are rerun at the end, one at a time. Checks that an unreachable deployment
   * interrupted are rerun once it is back.
   */
  readonly judgeAgain?: boolean;
  /** Whether each exchange is judged by all rules, whichever check has sent it. */
  readonly judgesEvery?: boolean;
  /** The number of checks that may run side by side. */
  readonly width: number;
}

/** The result of one job. */
export interface JobResult extends CheckResult {
  readonly target: string;
  /** All exchanges, if the run keeps them. */
  readonly exchanges?: readonly ReportedExchange[];
}

/** The totals of all jobs of a run. */
export interface RunTotals {
  /** The totals sent so far. */
  readonly spent: Spent;
  /** Sentences about the run that readers of the report need. */
  readonly notices: readonly string[];
  /** The limit of the budget that was reached, or why the deployment could no longer be judged. */
  readonly stopped?: string;
  /** Whether the run ended because the deployment became unreachable, or its answers do not end. */
  readonly isGone?: boolean;
}
