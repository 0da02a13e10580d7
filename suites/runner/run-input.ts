import type { CheckResult } from '../../reports/report.ts';
import type { Profile } from '../profile/profile.ts';

/** A gateway to be judged. Several targets may share one stack: its lanes, its clock and its upstreams. */
export interface JobTarget {
  readonly id: string;
  readonly stack: string;
  /** Targets with the same pool share its lanes; the pool's lanes are those of the profile. */
  readonly pool: string;
  readonly profile: Profile;
  /** Those that chat, and those that make pictures, video and sound. */
  readonly models: readonly string[];
  readonly mediaModels: readonly string[];
  /** What it declares but does not have, a sentence each that begins with the fact. */
  readonly lost?: readonly string[];
}

/** One check against one target. */
export interface Job {
  readonly target: string;
  readonly check: string;
}

/** Everything the worker needs, as plain data: it crosses a thread boundary. */
export interface RunInput {
  readonly targets: readonly JobTarget[];
  readonly jobs: readonly Job[];
  readonly seed: number;
  readonly size: 'quick' | 'full';
  readonly path: string | null;
  /** Whether the target lives on, so that the run ends by letting it recover from the failures that were scripted. */
  readonly livesOn: boolean;
  /** How the user would start the same run, without what selects the checks. */
  readonly replayPrefix: string;
}

/** What one job came to. */
export interface JobResult extends CheckResult {
  readonly target: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    run: RunInput;
  }
  interface TaskMeta {
    result?: JobResult;
  }
}
