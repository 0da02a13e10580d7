/** The shapes of jobs on the control API. Types only. */

/** The life of a job. Times are ms from its submission on the simulators' clock. */
export interface ScriptedJob {
  /** How long it stays queued. Default 20. */
  queued_ms?: number;
  /** When it ends. Default 40. */
  running_ms?: number;
  /** The stage in which it stays until it is moved by hand. */
  hold?: JobHold;
  /** How it ends. Default `success`. */
  end?: JobEnd;
  /**
   * For a job that does not succeed: a code word of the jobs dialect, or a number of the callback-jobs
   * dialect.
   */
  error?: JobError;
  /** How many results it has. Default: as many as requested. */
  outputs?: number;
  /** The duration of its results. Default: as requested. */
  duration_s?: number;
  /** Sent with every poll that finds it unfinished. */
  retry_after_s?: number;
  /** How long its links work after its end. Default 3,600,000. */
  link_life_ms?: number;
  /** The places, from 0, of results whose links never work. Default: none. */
  lost_outputs?: number[];
  /** Appended to its id: characters that a URL has to encode. Default: none. */
  id_tail?: string;
  /** A legal form of its files that is rarer than the usual one; files of other kinds stay as they are. */
  file_form?: FileForm;
  /** What distinguishes the links of one answer: their path, or their query alone. Default `path`. */
  links_by?: 'path' | 'query';
  /** How each image of an image call comes, in order; the last one repeats. Default: as requested. */
  pictures_as?: ('url' | 'base64')[];
}

/**
 * Forms of files: a video with a box of 64-bit length, a WAV with a chunk of odd length, MP3 with all bit rates of an MPEG
 * version, images as JPEG (with fill bytes before its markers, with restarts) or as WebP (lossless, extended).
 */
export type FileForm =
  | ('long-box' | 'odd-chunk' | 'rates-1' | 'rates-2' | 'rates-2.5')
  | ('jpeg' | 'jpeg-filled' | 'jpeg-restarts' | 'webp-lossless' | 'webp-extended');

export type JobHold = 'queued' | 'running';

export type JobEnd = 'success' | 'failed' | 'canceled';

export interface JobError {
  code: string;
  message: string;
}

/** Moves a job by hand: to running, where it then stays, or to its end. */
export type JobMove = { to: 'running' } | { end: JobEnd; error?: JobError };

/** The state of an upstream's job. */
export interface JobState {
  id: string;
  channel: string;
  dialect: 'jobs' | 'callback-jobs';
  /** The native name. */
  model: string;
  /** The Idempotency-Key or `reference` of its submit. */
  reference: string | null;
  status: 'queued' | 'running' | JobEnd;
  /** How many submits named it: the first one and all that repeated its key. */
  submits: number;
  polls: number;
  /** Reads of its files. */
  downloads: number;
  created_at_ms: number;
  /** The native id of its parent job. */
  parent: string | null;
  /** The journal's `n` of its submit. */
  request_n: number;
  /** The reports that its upstream sent, in the order of their first sending. */
  reports: JobReport[];
  /** How many reports are still due or in flight, including the report of its end. */
  reports_open: number;
}

/** One report of a job, as it was sent to the URL that the submit named. */
export interface JobReport {
  /** Counts the reports of the job from 1. */
  n: number;
  /** Its `callback-id`, the same on every try. */
  id: string;
  /** Its `callbackType`. */
  kind: string;
  /** How often it was sent. */
  tries: number;
  /** The status of the last answer; null before the first answer, and when the last try got no answer. */
  status: number | null;
  /** The beginning of the last answer's body, at most 2048 characters. */
  answer: string;
  /** When the last try was sent. */
  at_ms: number;
  /** The form of the fault that changed it; null for a correct report. */
  faulted: string | null;
}

/** The answer to `GET /tenants/{tenant}/jobs`, in order of submission. */
export interface JobsAnswer {
  jobs: JobState[];
}
