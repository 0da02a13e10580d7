import type { CheckResult, ReportedExchange, Size, Spent } from 'gatecheck-reports/report';
import type { Profile } from '../profile/profile.ts';
import type { BudgetInput } from './run-budget.ts';

/** A gateway to be judged. Several targets may share one stack: its tenants, its clock and its upstreams. */
export interface JobTarget {
  readonly id: string;
  readonly stack: string;
  /** Targets with the same pool share its tenants, which are those of the profile. */
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
  /** Whether the target outlives the run. If so, the run ends by letting it recover from the scripted failures. */
  readonly livesOn: boolean;
  /** The command that starts the same run again, without the options that select checks. */
  readonly replayPrefix: string;
  /** Whether results have all exchanges of their checks. */
  readonly keepsExchanges?: boolean;
  /** Files with checks of the user's own; none, if absent. */
  readonly checkFiles?: readonly string[];
  /** What bounds all jobs together; nothing, if absent. */
  readonly budget?: BudgetInput;
  /**
   * Whether checks that are red, if they are few, are judged again at the end, one at a time; and those that were under way
   * when the deployment went away, once it is back.
   */
  readonly judgeAgain?: boolean;
  /** Whether each exchange is judged by all rules, whichever check has sent it. */
  readonly judgesEvery?: boolean;
  /** How many checks may work side by side. */
  readonly width: number;
}

/** The result of one job. */
export interface JobResult extends CheckResult {
  readonly target: string;
  /** Everything that was sent, where the run keeps it. */
  readonly exchanges?: readonly ReportedExchange[];
}

/** What all jobs of a run together have come to. */
export interface RunTotals {
  /** What they have sent so far. */
  readonly spent: Spent;
  /** What a reader of the report has to know about the run. */
  readonly notices: readonly string[];
  /** Which bound of the budget had been reached, or why the deployment could be judged no further. */
  readonly stopped?: string;
  /** Whether it ended because the deployment was there no more, or its answers do not end. */
  readonly isGone?: boolean;
}
