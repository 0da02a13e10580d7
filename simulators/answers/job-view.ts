/** Where a job stands, as an upstream tells it. `text` and `first` are parts of one that still runs. */
export const jobStages = ['queued', 'running', 'text', 'first', 'success', 'failed', 'canceled'] as const;
export type JobStage = (typeof jobStages)[number];

/** What is told of a job, before a dialect writes it in its own words. */
export interface JobView {
  readonly stage: JobStage;
  /** The status on the wire in place of the dialect's own word. */
  readonly statusWord: string | null;
  /** From 0 to 100. */
  readonly progress: number;
  /** Null as long as there is nothing. */
  readonly outputs: readonly JobOutput[] | null;
  readonly error: JobViewError | null;
}

export interface JobViewError {
  /** In the words of the polled dialect, or a number of the other one. */
  readonly code: string | null;
  readonly message: string | null;
}

/** One result of a job. */
export interface JobOutput {
  /** Signed, and good until it expires. */
  readonly url: string;
  /** The content type. */
  readonly type: string;
  /** Of what lasts; else null. */
  readonly seconds: number | null;
}
