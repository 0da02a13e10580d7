import type { Insertable, Selectable } from 'kysely';
import type { WebhookAttemptsTable, WebhookEventsTable } from '../store/work-tables.ts';
import { receiverOf } from './receivers.ts';
import type { NewEvent, WebhookAttempt, WebhookEvent } from './webhooks.ts';

type EventRow = Pick<Selectable<WebhookEventsTable>, (typeof eventColumns)[number]>;

/** The columns of an EventRow: everything that lists show to administrators. */
export const eventColumns = [
  'id',
  'task_id',
  'account_id',
  'type',
  'url',
  'state',
  'attempts',
  'created_at',
  'due_at',
  'ended_at',
] as const;

/** The row of a new event, to be sent for the first time after a wait. */
export function newRow(event: NewEvent, id: string, waitMs: number): Insertable<WebhookEventsTable> {
  const { taskId, accountId, type, url, body, atMs } = event;
  return {
    id,
    task_id: taskId,
    account_id: accountId,
    receiver: receiverOf(accountId, url),
    type,
    url: JSON.stringify(url),
    body,
    state: 'pending',
    created_at: new Date(atMs),
    due_at: new Date(atMs + waitMs),
  };
}

export function eventOf(row: EventRow): WebhookEvent {
  return {
    id: row.id,
    taskId: row.task_id,
    accountId: row.account_id,
    type: row.type,
    url: urlOf(row.url),
    state: row.state,
    attempts: row.attempts,
    createdAtMs: row.created_at.getTime(),
    nextAtMs: row.due_at?.getTime() ?? null,
    endedAtMs: row.ended_at?.getTime() ?? null,
  };
}

/** The URL in a JSON column, which this program wrote. */
export function urlOf(stored: string): string {
  return JSON.parse(stored);
}

type Failure = WebhookAttempt['failure'];
const failures = [
  'status',
  'redirect',
  'gone',
  'timeout',
  'connection',
  'tls',
  'unresolved',
  'blocked',
] as const satisfies readonly Failure[];

export function attemptOf(row: Selectable<WebhookAttemptsTable>): WebhookAttempt {
  return {
    n: row.n,
    atMs: row.at.getTime(),
    tookMs: row.took_ms,
    status: row.status,
    failure: failures.find((failure) => failure === row.failure) ?? null,
    isManual: row.is_manual,
  };
}
