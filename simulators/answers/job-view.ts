/** The stages of a job as an upstream reports them. `text` and `first` are partial results of a running job. */
export const jobStages = ['queued', 'running', 'text', 'first', 'success', 'failed', 'canceled'] as const;
export type JobStage = (typeof jobStages)[number];

/** The state of a job that a poll reports, before a dialect renders it. */
export interface JobView {
  readonly stage: JobStage;
  /** Replaces the dialect's own status word on the wire. */
  readonly statusWord: string | null;
  /** From 0 to 100. */
  readonly progress: number;
  /** Null while there are none. */
  readonly outputs: readonly JobOutput[] | null;
  readonly error: JobViewError | null;
}

export interface JobViewError {
  /** A code word of the jobs dialect, or a number of the callback-jobs dialect. */
  readonly code: string | null;
  readonly message: string | null;
}

/** One result of a job. */
export interface JobOutput {
  /** A signed link that expires. */
  readonly url: string;
  /** The content type. */
  readonly type: string;
  /** Its duration; null for media without one. */
  readonly seconds: number | null;
}
