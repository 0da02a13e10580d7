import type { Generated } from 'kysely';
import type { SeedDigest, Written } from './columns.ts';

/** Jobs that callers submitted. The owner (`holder`) of an unfinished job runs its due step; null if it has no owner. */
export interface TasksTable {
  id: Written<string>;
  request_id: Written<string>;
  account_id: Written<string>;
  user_id: Written<string>;
  app_id: Written<string>;
  key_id: Written<string>;
  model: Written<string>;
  medium: Written<'image' | 'video' | 'audio'>;
  action: Written<string | null>;
  /** The requested fields, as JSON: up to the size of a body; none once the task has ended. */
  fields: Written<string>;
  /** The rest of the submission, as JSON. */
  details: Written<string>;
  /** Bytes that it contributes to task_bytes. */
  bytes: Generated<number>;
  parents: Written<string[]>;
  channels_of: Written<string[]>;
  status: 'QUEUED' | 'RUNNING' | 'SUCCESS' | 'FAILED' | 'EXPIRED';
  submitted_at: Written<Date>;
  deadline_at: Written<Date>;
  channel_id: string | null;
  /** The upstream's id, as JSON like the ending. */
  native_id: string | null;
  start_tries: Generated<number>;
  poll_tries: Generated<number>;
  ending: string | null;
  ended_at: Date | null;
  /** When its next step is due; null once it has ended. */
  due_at: Date | null;
  /** The process that runs the next step, or that ended the task. */
  holder: string | null;
  /** How often it was claimed: the fencing number of its owner. */
  claims: Generated<number>;
  /** Increased by every notification of its job. */
  generation: Generated<number>;
  /**
   * Number of regular polls in a row, the time of the next one, and the earliest time for one after a
   * notification.
   */
  polls: Generated<number>;
  poll_at: Date;
  notify_from: Date;
}

/**
 * Reports to callers how their tasks ended. The owner (`holder`) of an event makes its attempt; null between
 * attempts.
 */
export interface WebhookEventsTable {
  id: Written<string>;
  task_id: Written<string>;
  account_id: Written<string>;
  /** The receiver: the account and the origin of the URL. */
  receiver: Written<string>;
  type: Written<'task.success' | 'task.failed' | 'task.expired'>;
  /** As JSON. */
  url: Written<string>;
  body: Written<string>;
  state: 'pending' | 'delivered' | 'stopped' | 'given_up';
  /** Incremented by every redelivery request. After that, the result of an earlier attempt changes nothing. */
  generation: Generated<number>;
  /** Number of scheduled attempts so far. */
  place: Generated<number>;
  /** Number of all attempts so far. */
  attempts: Generated<number>;
  /** Whether the next attempt was requested by an administrator. */
  is_manual: Generated<boolean>;
  created_at: Written<Date>;
  /** When it is attempted next. */
  due_at: Date | null;
  ended_at: Date | null;
  holder: string | null;
  /** How often it was claimed: the fencing number of its owner. */
  claims: Generated<number>;
}

export interface WebhookAttemptsTable {
  event_id: Written<string>;
  n: Written<number>;
  at: Written<Date>;
  took_ms: Written<number>;
  status: Written<number | null>;
  failure: Written<string | null>;
  is_manual: Written<boolean>;
}

/** The secrets that sign an account's events, encrypted. Null for an ended secret, whose digest is kept. */
export interface WebhookSecretsTable {
  account_id: Written<string>;
  id: string;
  sealed: string | null;
  /** The last characters of the secret. */
  hint: Written<string>;
  created_at: Written<Date>;
  /** When it stops signing. */
  ends_at: Date | null;
  seed_digest: SeedDigest;
}
