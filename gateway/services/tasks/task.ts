import type { Medium } from '../../catalogue/media-models.ts';
import type { JsonObject } from '../../http/parse-json.ts';
import type { Pico } from '../../money/pico.ts';

export const taskStatuses = ['QUEUED', 'RUNNING', 'SUCCESS', 'FAILED', 'EXPIRED'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** A job that a caller handed in (specification, "States and transitions"). Times are Unix milliseconds. */
export interface Task {
  readonly id: string;
  /** The request that handed it in: what it is charged under, once. */
  readonly requestId: string;
  readonly accountId: string;
  readonly userId: string;
  readonly appId: string;
  readonly keyId: string;
  readonly model: string;
  readonly medium: Medium;
  /** The step of a chain, `generate` or `imagine` where there is no other; null for models without steps. */
  readonly action: string | null;
  /**
   * What the caller asked for in our words, defaults filled in; without model, action, parents and webhook_url. Empty where
   * it is too long to be carried along: only the start of the job is given it whole.
   */
  readonly fields: JsonObject;
  /** The tasks that it builds on, from the first of the chain to its own parent; a second parent stands last. */
  readonly parents: readonly string[];
  readonly webhookUrl: string | null;
  /** Public ids of accounts by whose channels it is served, as of its submission. */
  readonly channelsOf: readonly string[];
  /** What a unit costs it and the markup on that, as of its submission. */
  readonly price: TaskPrice;
  readonly status: TaskStatus;
  readonly submittedAtMs: number;
  /** When it is EXPIRED at the latest. */
  readonly deadlineAtMs: number;
  /** The channel that its job was, or may have been, started on; null before the first try. */
  readonly channelId: string | null;
  /** The upstream's id of the job; null until it is known. */
  readonly nativeId: string | null;
  /** Tries at starting its job, and failed questions after it in a row. */
  readonly startTries: number;
  readonly pollTries: number;
  /** How it ends, once that is decided; it is charged by this, and then the status says it. */
  readonly ending: TaskEnding | null;
  /** When its status became a terminal one. */
  readonly endedAtMs: number | null;
}

export interface TaskPrice {
  readonly unit: 'image' | 'second' | 'task';
  readonly unitPico: Pico;
  readonly markupBp: number;
}

/** What a task comes to. */
export type TaskEnding =
  | {
      readonly status: 'SUCCESS';
      /** What it made, in order, as kept by this gateway. */
      readonly results: readonly TaskResult[];
      /** Length of what it made, whole seconds; null for pictures and texts. */
      readonly durationSec: number | null;
    }
  | { readonly status: 'FAILED'; readonly error: TaskError }
  | { readonly status: 'EXPIRED' };

/** A kept file: its name in the media store, `{random}.{extension}`. */
export interface TaskResult {
  readonly file: string;
}

/** Why a task failed, in the words of our error table (reading B-72). */
export interface TaskError {
  readonly code:
    | 'content_filter'
    | 'invalid_param'
    | 'upstream_error'
    | 'upstream_timeout'
    | 'channel_outage'
    | 'channel_queue_full'
    | 'internal_error';
  readonly message: string;
  readonly param: string | null;
  /** Public id of the channel. */
  readonly channel: string | null;
}
