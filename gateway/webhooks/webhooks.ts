import type { Kysely } from 'kysely';
import type { Database } from '../store/database.ts';

/** Events that tell callers how a task ended (specification, "Events"; readings B-111 to B-116). Times are Unix milliseconds. */

export const eventTypes = ['task.success', 'task.failed', 'task.expired'] as const;
export type EventType = (typeof eventTypes)[number];

export const eventStates = ['pending', 'delivered', 'stopped', 'given_up'] as const;
/**
 * - `pending`: there is an attempt to come, or one is under way
 * - `delivered`: a receiver answered with a status from 200 to 299
 * - `stopped`: it answered 410, or the URL is none that this gateway connects to
 * - `given_up`: the schedule has come to its end
 */
export type EventState = (typeof eventStates)[number];

/** An event as it is kept, with the record of the task that it tells of. */
export interface WebhookEvent {
  /** What the receiver is given as webhook-id, the same on every attempt. */
  readonly id: string;
  readonly taskId: string;
  readonly accountId: string;
  readonly type: EventType;
  readonly url: string;
  readonly state: EventState;
  readonly attempts: number;
  readonly createdAtMs: number;
  /** When it is attempted next; null unless pending. */
  readonly nextAtMs: number | null;
  readonly endedAtMs: number | null;
}

export const attemptFailures = [
  ...(['status', 'redirect', 'gone', 'timeout'] as const),
  ...(['connection', 'tls', 'unresolved', 'blocked'] as const),
] as const;
export type AttemptFailure = (typeof attemptFailures)[number];

/** What came of one attempt. */
export interface WebhookAttempt {
  /** From 1. */
  readonly n: number;
  readonly atMs: number;
  readonly tookMs: number;
  /** The status of the answer; null when there was none. */
  readonly status: number | null;
  /** Why it was none that counts: one word of ours; null when it was delivered. */
  readonly failure: AttemptFailure | null;
  /** Whether an administrator asked for it. */
  readonly isManual: boolean;
}

/** A secret of an account, without the secret. */
export interface WebhookSecret {
  readonly id: string;
  readonly accountId: string;
  /** Its last characters. */
  readonly hint: string;
  readonly createdAtMs: number;
  /** When it signs no more; null for the one that is current. */
  readonly endsAtMs: number | null;
}

/** The new event of a task that has just ended. */
export interface NewEvent {
  readonly taskId: string;
  readonly accountId: string;
  readonly type: EventType;
  readonly url: string;
  /** The exact text that is sent and signed. */
  readonly body: string;
  readonly atMs: number;
}

export interface EventFilter {
  readonly accountId?: string;
  readonly taskId?: string;
  readonly state?: EventState;
}

export type EventPlace = Pick<WebhookEvent, 'createdAtMs' | 'id'>;

/** The events of all accounts, durable, as administrators look after them. */
export interface Webhooks {
  /** Newest first. `after`: the last one of the page before. */
  search(filter: EventFilter, limit: number, after?: EventPlace): Promise<WebhookEvent[]>;
  /** An event with what came of its attempts, the first one first; null for one that is not known. */
  find(eventId: string): Promise<{
    readonly event: WebhookEvent;
    readonly attempts: readonly WebhookAttempt[];
    readonly body: string;
  } | null>;
  /** Attempts an event at once, and from the beginning of the schedule if that fails; null for one that is not known. */
  redeliver(eventId: string): Promise<WebhookEvent | null>;
  secrets(accountId: string): Promise<WebhookSecret[]>;
  /** Makes a new secret the current one and lets the others sign for a while: `overlapMs`. The only time that it is told. */
  rotate(accountId: string, overlapMs: number): Promise<WebhookSecret & { readonly secret: string }>;
  /** Ends a secret that is not the current one, at once; false when there is none such. */
  end(accountId: string, secretId: string): Promise<boolean>;
  /** Resolves when the attempts under way in this process are over, or after `withinMs` of real time: see `Tasks.idle`. */
  idle(withinMs: number): Promise<void>;
}

/** Where an event goes, and when its task ended. */
export type EventGoal = Pick<NewEvent, 'accountId' | 'url' | 'atMs'>;

/** Takes events over from the tasks that they tell of. */
export interface EventKeeper {
  /** Keeps events in the transaction that ends their tasks; of a task that has one already there is no second. */
  keep(trx: Kysely<Database>, events: readonly NewEvent[]): Promise<void>;
  /** Says that the transaction is over, whatever came of it: what it kept is sent from now on. */
  kept(events: readonly EventGoal[]): void;
}
