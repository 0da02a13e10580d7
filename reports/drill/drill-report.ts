import type { MeasureName } from './measures.ts';

/** What a drill found, as `drill.json` has it. Times are seconds since its start, on the clock of the drill. */
export interface DrillReport {
  readonly schema: 1;
  readonly kind: 'drill';
  readonly scenario: { readonly name: string; readonly description: string | null };
  readonly target: { readonly name: string; readonly base_url: string };
  readonly command: string;
  readonly seed: number;
  /** Calls a second, on average. */
  readonly rate: number;
  /** How long calls were sent. */
  readonly seconds: number;
  /** How much faster than real time the clocks of the stack may have run; 1 for real time. */
  readonly speed: number;
  readonly started_at: string;
  /** Real time. */
  readonly duration_ms: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly exit_code: number;
  readonly headline: string;
  /** Why it ended early; null when it did not. */
  readonly stopped: string | null;
  readonly calls: number;
  /** Tasks with events beside the calls; absent where there were none. */
  readonly tasks?: DrillTasks;
  readonly measures: Readonly<Record<MeasureName, Measured>>;
  readonly thresholds: readonly JudgedThreshold[];
  /** How the calls ended, most frequent first: `ok`, the codes of refusals, `truncated`, … */
  readonly codes: readonly { readonly code: string; readonly calls: number }[];
  readonly phases: readonly DrillPhase[];
  readonly well_from_s: number | null;
  readonly bin_s: number;
  readonly bins: readonly DrillBin[];
  readonly channels: readonly DrillChannel[];
  /** Some of the answers that were wrong or truncated. */
  readonly examples: readonly { readonly at_s: number; readonly what: string; readonly detail: string }[];
}

/** `value` is null where it could not be measured, for the reason `why`; a time without an end is `never`. */
export type Measured =
  | { readonly value: number | 'never'; readonly why: null }
  | { readonly value: null; readonly why: string };

/** Submissions, of these how many were accepted and ended, how many failed, and of how many an event arrived. */
export interface DrillTasks {
  readonly sent: number;
  readonly accepted: number;
  readonly ended: number;
  readonly failed: number;
  readonly events: number;
}

export interface JudgedThreshold {
  readonly text: string;
  readonly measure: MeasureName;
  /** Null where the measure has no value. */
  readonly holds: boolean | null;
  readonly seen: string;
}

/** What a scenario did to some channels for a while. */
export interface DrillPhase {
  readonly name: string;
  readonly channels: string;
  readonly from_s: number;
  readonly until_s: number;
}

/** What happened within `bin_s`: calls by when they were sent, attempts by when they arrived. */
export interface DrillBin {
  readonly ok: number;
  readonly failed: number;
  /** Wrong or truncated. */
  readonly bad: number;
  readonly p50_s: number | null;
  readonly p99_s: number | null;
  readonly attempts: number;
  readonly failed_attempts: number;
}

export interface DrillChannel {
  readonly name: string;
  readonly attempts: number;
  readonly failed: number;
  /** While it was left alone after failures; `until_s` null: until the end. */
  readonly left_alone: readonly { readonly from_s: number; readonly until_s: number | null }[];
  /** Attempts and those that failed, by bin. */
  readonly bins: readonly (readonly [attempts: number, failed: number])[];
}
