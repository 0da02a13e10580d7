import { type Kysely, sql } from 'kysely';
import { isConnectionFailure } from '../store/connection-failure.ts';
import type { Database } from '../store/database.ts';
import { GroupCommit } from '../store/group-commit.ts';
import type { DueEvent } from './due-event.ts';
import type { AfterAttempt } from './next-attempt.ts';
import { newRow } from './stored-event.ts';
import type { NewEvent, WebhookAttempt } from './webhooks.ts';

/** A finished attempt and its consequences. */
export interface Outcome {
  readonly event: Pick<DueEvent, 'id' | 'holder' | 'fence' | 'made' | 'generation' | 'isManual'>;
  readonly attempt: Omit<WebhookAttempt, 'n' | 'isManual'>;
  readonly after: AfterAttempt;
  readonly endedAtMs: number;
}

/** The events in the database, for delivery. A process changes only events that it owns. */
export interface EventStore {
  insert(trx: Kysely<Database>, events: readonly NewEvent[], firstWaitMs: number): Promise<void>;
  /**
   * Writes the result of an attempt and releases the event. Returns when the event is due next, which includes a
   * redelivery requested meanwhile. Null if it is not due, or if this process no longer owned it. Writes are
   * batched.
   */
  note(outcome: Outcome): Promise<number | null>;
  /** Removes events that ended before this time. */
  forgetEndedBefore(ms: number): Promise<void>;
  close(): Promise<void>;
}

export function createEventStore(db: Kysely<Database>, newId: () => string): EventStore {
  const outcomes = new GroupCommit<Outcome, number | null>({
    commit: (all) => noteAll(db, all),
    isConnectionFailure,
  });
  return {
    insert: async (trx, events, firstWaitMs) => {
      await trx
        .insertInto('webhook_events')
        .values(events.map((event) => newRow(event, newId(), firstWaitMs)))
        .onConflict((conflict) => conflict.column('task_id').doNothing())
        .execute();
    },
    note: (outcome) => outcomes.add(outcome),
    forgetEndedBefore: async (ms) => {
      for (let forgotten = forgetAtOnce; forgotten >= forgetAtOnce; ) forgotten = await forgetSome(db, ms);
    },
    close: () => outcomes.close(),
  };
}

/** Events that one statement removes, with their attempts. */
const forgetAtOnce = 500;

/** Returns the number of removed events. Several processes may do this at once. */
async function forgetSome(db: Kysely<Database>, ms: number): Promise<number> {
  const { numDeletedRows } = await db
    .with('old', (some) =>
      some
        .selectFrom('webhook_events')
        .select('id')
        .where('ended_at', '<', new Date(ms))
        .orderBy('ended_at')
        .limit(forgetAtOnce)
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('webhook_events')
    .using('old')
    .whereRef('webhook_events.id', '=', 'old.id')
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function noteAll(db: Kysely<Database>, outcomes: readonly Outcome[]): Promise<(number | null)[]> {
  const { rows } = await sql<{ id: string; due_at: Date | null }>`
    with
      x as (
        select * from json_to_recordset(${JSON.stringify(outcomes.map(outcomeRow))}::json) as x(
          id text, holder text, fence integer, generation integer, place integer, is_manual boolean, at timestamptz, took_ms integer, status integer,
          failure text, state text, due_at timestamptz, ended_at timestamptz)
      ),
      changed as (
        update webhook_events as e set
          holder = null,
          attempts = e.attempts + 1,
          state = case when e.generation = x.generation then x.state else e.state end,
          place = case when e.generation = x.generation then x.place else e.place end,
          due_at = case when e.generation = x.generation then x.due_at else e.due_at end,
          ended_at = case when e.generation = x.generation then x.ended_at else e.ended_at end,
          is_manual = e.generation <> x.generation and e.is_manual
        from x where e.id = x.id and e.holder = x.holder and e.claims = x.fence
        returning e.id, e.attempts as n, e.due_at
      ),
      noted as (
        insert into webhook_attempts (event_id, n, at, took_ms, status, failure, is_manual)
        select c.id, c.n, x.at, x.took_ms, x.status, x.failure, x.is_manual from changed c join x on x.id = c.id
      )
    select id, due_at from changed`.execute(db);
  const nextAt = new Map(rows.map((row) => [row.id, row.due_at]));
  return outcomes.map(({ event }) => nextAt.get(event.id)?.getTime() ?? null);
}

/** The outcome in a form that passes through JSON without loss. */
function outcomeRow({ event, attempt, after, endedAtMs }: Outcome) {
  return {
    id: event.id,
    holder: event.holder,
    fence: event.fence,
    generation: event.generation,
    place: event.made + 1,
    is_manual: event.isManual,
    at: timeText(attempt.atMs),
    took_ms: attempt.tookMs,
    status: attempt.status,
    failure: attempt.failure,
    state: after.state,
    due_at: after.nextAtMs === null ? null : timeText(after.nextAtMs),
    ended_at: after.nextAtMs === null ? timeText(endedAtMs) : null,
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
