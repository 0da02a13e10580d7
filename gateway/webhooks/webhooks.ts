import type { Kysely } from 'kysely';
import type { Database } from '../store/database.ts';

/**
 * Events that report to callers how a task ended (specification, "Events"; readings B-111 to B-116). Times are
 * Unix milliseconds.
 */

export const eventTypes = ['task.success', 'task.failed', 'task.expired'] as const;
export type EventType = (typeof eventTypes)[number];

export const eventStates = ['pending', 'delivered', 'stopped', 'given_up'] as const;
/**
 * - `pending`: an attempt is due later, or in flight
 * - `delivered`: a receiver answered with a status from 200 to 299
 * - `stopped`: the receiver answered 410, or the gateway refuses to connect to the URL
 * - `given_up`: the last attempt of the schedule failed
 */
export type EventState = (typeof eventStates)[number];

/** A stored event, with the record of the task that it reports. */
export interface WebhookEvent {
  /** Sent as webhook-id, the same on every attempt. */
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

/** The result of one attempt. */
export interface WebhookAttempt {
  /** The number of the attempt, from 1. */
  readonly n: number;
  readonly atMs: number;
  readonly tookMs: number;
  /** The status of the answer; null if there was none. */
  readonly status: number | null;
  /** Why the attempt failed, as one of the gateway's reasons; null if it was delivered. */
  readonly failure: AttemptFailure | null;
  /** Whether an administrator requested it. */
  readonly isManual: boolean;
}

/** A secret of an account, without its value. */
export interface WebhookSecret {
  readonly id: string;
  readonly accountId: string;
  /** Its last characters. */
  readonly hint: string;
  readonly createdAtMs: number;
  /** When it stops signing; null for the current one. */
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

/** The durable events of all accounts, as administrators manage them. */
export interface Webhooks {
  /** Newest first. `after`: the last event of the previous page. */
  search(filter: EventFilter, limit: number, after?: EventPlace): Promise<WebhookEvent[]>;
  /** An event with its attempts in order; null for an unknown event. */
  find(eventId: string): Promise<{
    readonly event: WebhookEvent;
    readonly attempts: readonly WebhookAttempt[];
    readonly body: string;
  } | null>;
  /** Attempts an event at once, and restarts the schedule if that fails; null for an unknown event. */
  redeliver(eventId: string): Promise<WebhookEvent | null>;
  secrets(accountId: string): Promise<WebhookSecret[]>;
  /** Makes a new secret the current one; the others sign for `overlapMs` longer. Only this call returns the secret. */
  rotate(accountId: string, overlapMs: number): Promise<WebhookSecret & { readonly secret: string }>;
  /** Ends a secret that is not the current one, at once; false if there is no such secret. */
  end(accountId: string, secretId: string): Promise<boolean>;
  /** Resolves when no attempt is in flight in this process, or after `withinMs` of real time: see `Tasks.idle`. */
  idle(withinMs: number): Promise<void>;
}

/** Where an event goes, and when its task ended. */
export type EventGoal = Pick<NewEvent, 'accountId' | 'url' | 'atMs'>;

/** Takes over the events of ended tasks. */
export interface EventSink {
  /**
   * Stores events in the transaction that ends their tasks. A task that has an event already gets no second one.
   */
  insert(trx: Kysely<Database>, events: readonly NewEvent[]): Promise<void>;
  /** Starts the delivery of events stored in that transaction, whatever its result. */
  wake(events: readonly EventGoal[]): void;
}
