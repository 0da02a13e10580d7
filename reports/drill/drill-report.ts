import type { MeasureName } from './measures.ts';

/** The result of a drill, as in `drill.json`. Times are seconds since its start, on the clock of the drill. */
export interface DrillReport {
  readonly schema: 1;
  readonly kind: 'drill';
  readonly scenario: { readonly name: string; readonly description: string | null };
  readonly target: { readonly name: string; readonly base_url: string };
  readonly command: string;
  readonly seed: number;
  /** Average calls per second. */
  readonly rate: number;
  /** For how many seconds calls were sent. */
  readonly seconds: number;
  /** Speed of the stack's clocks relative to real time; 1 for real time. */
  readonly speed: number;
  readonly started_at: string;
  /** In real time. */
  readonly duration_ms: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly exit_code: number;
  readonly headline: string;
  /** Why it ended early; null when it did not. */
  readonly stopped: string | null;
  readonly calls: number;
  /** Tasks with events, in addition to the calls; absent without tasks. */
  readonly tasks?: DrillTasks;
  readonly measures: Readonly<Record<MeasureName, Measured>>;
  readonly thresholds: readonly JudgedThreshold[];
  /** Outcomes of the calls, most frequent first: `ok`, error codes, `truncated`, … */
  readonly codes: readonly { readonly code: string; readonly calls: number }[];
  readonly phases: readonly DrillPhase[];
  readonly well_from_s: number | null;
  readonly bin_s: number;
  readonly bins: readonly DrillBin[];
  readonly channels: readonly DrillChannel[];
  /** Samples of wrong or truncated answers. */
  readonly examples: readonly { readonly at_s: number; readonly what: string; readonly detail: string }[];
}

/** `value` is null if it could not be measured, with the reason in `why`. A time without an end is `never`. */
export type Measured =
  | { readonly value: number | 'never'; readonly why: null }
  | { readonly value: null; readonly why: string };

/** Counts of submitted, accepted, ended and failed tasks, and of tasks whose event arrived. */
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
  /** Null if the measure has no value. */
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

/** Counts within `bin_s`: calls by sending time, attempts by arrival time. */
export interface DrillBin {
  readonly ok: number;
  readonly failed: number;
  /** Wrong or truncated answers. */
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
  /** When the gateway sent the channel no requests after failures; `until_s` null means until the end. */
  readonly left_alone: readonly { readonly from_s: number; readonly until_s: number | null }[];
  /** Attempts and failed attempts, by bin. */
  readonly bins: readonly (readonly [attempts: number, failed: number])[];
}
