import { type Kysely, sql } from 'kysely';
import { isConnectionFailure } from '../store/connection-failure.ts';
import type { Database } from '../store/database.ts';
import { GroupCommit } from '../store/group-commit.ts';
import type { AfterAttempt } from './next-attempt.ts';
import { newRow, urlOf } from './stored-event.ts';
import type { NewEvent, WebhookAttempt } from './webhooks.ts';

/** An event that this process has taken, to attempt it once. */
export interface DueEvent {
  readonly id: string;
  readonly accountId: string;
  readonly receiver: string;
  readonly url: string;
  readonly body: string;
  /** Attempts of the schedule before this one. */
  readonly made: number;
  readonly round: number;
  readonly isManual: boolean;
}

/** An attempt that is over, and what follows from it. */
export interface Outcome {
  readonly event: Pick<DueEvent, 'id' | 'made' | 'round' | 'isManual'>;
  readonly attempt: Omit<WebhookAttempt, 'n' | 'isManual'>;
  readonly after: AfterAttempt;
  readonly endedAtMs: number;
}

/** What there is to be done for events that nobody is at. */
export interface Glance {
  /** Who else is at events. */
  readonly holders: readonly string[];
  /** When the next event is due, or since when. */
  readonly nextAtMs: number | null;
}

/** The events in the database as far as their delivery goes. A process changes those that it holds, and no others. */
export interface EventStore {
  keep(trx: Kysely<Database>, events: readonly NewEvent[], firstWaitMs: number): Promise<void>;
  /** The receivers of events that are due and that nobody is at; who has waited longest comes first. */
  dueReceivers(nowMs: number): Promise<string[]>;
  /** When the next event is due after now. */
  nextAtMs(nowMs: number): Promise<number | null>;
  /** Takes due events of these receivers, at most so many of each. */
  take(rooms: ReadonlyMap<string, number>, nowMs: number): Promise<DueEvent[]>;
  /**
   * Writes what came of an attempt and lets go of the event. When it is due next: also where somebody wants it sent again
   * meanwhile; null when it is not, or when this process did not hold it any more. Many at once together.
   */
  note(outcome: Outcome): Promise<number | null>;
  glance(): Promise<Glance>;
  /** Lets go of what one was at, or all of them (null); how many events that were. */
  release(holder: string | null): Promise<number>;
  /** Removes events that ended before. */
  forgetEndedBefore(ms: number): Promise<void>;
  close(): Promise<void>;
}

export function createEventStore(db: Kysely<Database>, own: string, newId: () => string): EventStore {
  const outcomes = new GroupCommit<Outcome, number | null>({
    commit: (all) => noteAll(db, own, all),
    isConnectionFailure,
  });
  return {
    keep: async (trx, events, firstWaitMs) => {
      await trx
        .insertInto('webhook_events')
        .values(events.map((event) => newRow(event, newId(), firstWaitMs)))
        .onConflict((conflict) => conflict.column('task_id').doNothing())
        .execute();
    },
    dueReceivers: async (nowMs) => {
      const { rows } = await sql<{ receiver: string }>`
        select receiver from webhook_events
        where state = 'pending' and holder is null and next_at <= ${new Date(nowMs)}
        group by receiver order by min(next_at), receiver`.execute(db);
      return rows.map((row) => row.receiver);
    },
    nextAtMs: async (nowMs) => {
      const { rows } = await sql<{ at: Date | null }>`
        select min(next_at) as at from webhook_events
        where state = 'pending' and holder is null and next_at > ${new Date(nowMs)}`.execute(db);
      return rows[0]?.at?.getTime() ?? null;
    },
    take: (rooms, nowMs) => take(db, own, rooms, nowMs),
    note: (outcome) => outcomes.add(outcome),
    glance: async () => {
      const { rows } = await sql<{ holders: string[]; at: Date | null }>`
        select
          array(select distinct holder from webhook_events where holder is not null and holder <> ${own}) as holders,
          (select min(next_at) from webhook_events where state = 'pending' and holder is null) as at`.execute(
        db,
      );
      return { holders: rows[0]?.holders ?? [], nextAtMs: rows[0]?.at?.getTime() ?? null };
    },
    release: async (holder) => {
      const { numUpdatedRows } = await db
        .updateTable('webhook_events')
        .set({ holder: null })
        .where('holder', 'is not', null)
        .$if(holder !== null, (query) => query.where('holder', '=', holder))
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    forgetEndedBefore: async (ms) => {
      await db.deleteFrom('webhook_events').where('ended_at', '<', new Date(ms)).execute();
    },
    close: () => outcomes.close(),
  };
}

interface TakenRow {
  readonly id: string;
  readonly account_id: string;
  readonly receiver: string;
  readonly url: string;
  readonly body: string;
  readonly place: number;
  readonly round: number;
  readonly is_manual: boolean;
}

async function take(
  db: Kysely<Database>,
  own: string,
  rooms: ReadonlyMap<string, number>,
  nowMs: number,
): Promise<DueEvent[]> {
  const wanted = [...rooms].map(([receiver, room]) => ({ receiver, room }));
  const { rows } = await sql<TakenRow>`
    with
      wanted as (select * from json_to_recordset(${JSON.stringify(wanted)}::json) as x(receiver text, room integer)),
      due as (
        select e.id from wanted w cross join lateral (
          select id from webhook_events
          where receiver = w.receiver and state = 'pending' and holder is null and next_at <= ${new Date(nowMs)}
          order by next_at, id limit w.room for update skip locked
        ) e
      )
    update webhook_events as e set holder = ${own} from due where e.id = due.id
    returning e.id, e.account_id, e.receiver, e.url, e.body, e.place, e.round, e.is_manual`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    receiver: row.receiver,
    url: urlOf(row.url),
    body: row.body,
    made: row.place,
    round: row.round,
    isManual: row.is_manual,
  }));
}

async function noteAll(
  db: Kysely<Database>,
  own: string,
  outcomes: readonly Outcome[],
): Promise<(number | null)[]> {
  const { rows } = await sql<{ id: string; next_at: Date | null }>`
    with
      x as (
        select * from json_to_recordset(${JSON.stringify(outcomes.map(outcomeRow))}::json) as x(
          id text, round integer, place integer, is_manual boolean, at timestamptz, took_ms integer, status integer,
          failure text, state text, next_at timestamptz, ended_at timestamptz)
      ),
      changed as (
        update webhook_events as e set
          holder = null,
          attempts = e.attempts + 1,
          state = case when e.round = x.round then x.state else e.state end,
          place = case when e.round = x.round then x.place else e.place end,
          next_at = case when e.round = x.round then x.next_at else e.next_at end,
          ended_at = case when e.round = x.round then x.ended_at else e.ended_at end,
          is_manual = e.round <> x.round and e.is_manual
        from x where e.id = x.id and e.holder = ${own}
        returning e.id, e.attempts as n, e.next_at
      ),
      noted as (
        insert into webhook_attempts (event_id, n, at, took_ms, status, failure, is_manual)
        select c.id, c.n, x.at, x.took_ms, x.status, x.failure, x.is_manual from changed c join x on x.id = c.id
      )
    select id, next_at from changed`.execute(db);
  const nextAt = new Map(rows.map((row) => [row.id, row.next_at]));
  return outcomes.map(({ event }) => nextAt.get(event.id)?.getTime() ?? null);
}

/** In a form that goes through JSON without loss. */
function outcomeRow({ event, attempt, after, endedAtMs }: Outcome) {
  return {
    id: event.id,
    round: event.round,
    place: event.made + 1,
    is_manual: event.isManual,
    at: timeText(attempt.atMs),
    took_ms: attempt.tookMs,
    status: attempt.status,
    failure: attempt.failure,
    state: after.state,
    next_at: after.nextAtMs === null ? null : timeText(after.nextAtMs),
    ended_at: after.nextAtMs === null ? timeText(endedAtMs) : null,
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
