import type { TaskPrice } from '../../billing/task-price.ts';
import type { Medium } from '../../catalogue/media-models.ts';
import type { JsonObject } from '../../http/parse-json.ts';

export const taskStatuses = ['QUEUED', 'RUNNING', 'SUCCESS', 'FAILED', 'EXPIRED'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** A job that a caller submitted (specification, "States and transitions"). Times are Unix milliseconds. */
export interface Task {
  readonly id: string;
  /** The request that submitted it. The task is charged under this id, once. */
  readonly requestId: string;
  readonly accountId: string;
  readonly userId: string;
  readonly appId: string;
  readonly keyId: string;
  readonly model: string;
  readonly medium: Medium;
  /** The step of a chain. `generate` or `imagine` is the first step; null for models without steps. */
  readonly action: string | null;
  /**
   * The requested fields in common form, with defaults, but without model, action, parents and webhook_url. Only
   * the duration if they are too long to be kept in memory: the start of the job alone reads them whole.
   */
  readonly fields: JsonObject;
  /** The tasks that it builds on, from the first of the chain to its own parent. A second parent comes last. */
  readonly parents: readonly string[];
  readonly webhookUrl: string | null;
  /** Public ids of the accounts whose channels serve it, as of its submission. */
  readonly channelsOf: readonly string[];
  /** Its price per unit and the markup, as of its submission. */
  readonly price: TaskPrice;
  readonly status: TaskStatus;
  readonly submittedAtMs: number;
  /** The time at which it expires (EXPIRED) if it has not ended. */
  readonly deadlineAtMs: number;
  /** The channel on which its job was started, or may have been; null before the first attempt. */
  readonly channelId: string | null;
  /** The upstream's id of the job; null until it is known. */
  readonly nativeId: string | null;
  /** Attempts at starting its job, and failed polls of it in a row. */
  readonly startTries: number;
  readonly pollTries: number;
  /** How it ends, once decided. The task is charged by this before its status shows it. */
  readonly ending: TaskEnding | null;
  /** When it ended. */
  readonly endedAtMs: number | null;
}

/** The result of a task. */
export type TaskEnding =
  | {
      readonly status: 'SUCCESS';
      /** Its outputs, in order, as this gateway stored them. */
      readonly results: readonly TaskResult[];
      /** Length of the output in whole seconds; null for images and texts. */
      readonly durationSec: number | null;
    }
  | { readonly status: 'FAILED'; readonly error: TaskError }
  | { readonly status: 'EXPIRED' };

/** A stored file: its name in the media store, `{random}.{extension}`. */
export interface TaskResult {
  readonly file: string;
}

/** Why a task failed, as in our error table (reading B-72). */
export interface TaskError {
  readonly code:
    | 'content_filter'
    | 'invalid_param'
    | 'upstream_error'
    | 'upstream_timeout'
    | 'channel_outage'
    | 'channel_queue_full'
    | 'quota_exceeded'
    | 'internal_error';
  readonly message: string;
  readonly param: string | null;
  /** Public id of the channel. */
  readonly channel: string | null;
}
