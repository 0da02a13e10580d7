import { type Kysely, sql } from 'kysely';
import type { Database } from '../store/database.ts';
import { attemptOf, eventColumns, eventOf } from './stored-event.ts';
import type { EventFilter, EventPlace, WebhookEvent, Webhooks } from './webhooks.ts';

/** What administrators read of events, and how they request a redelivery. */
export interface EventLog extends Pick<Webhooks, 'search' | 'find'> {
  /** Makes an event due now; null for an unknown event. */
  restart(eventId: string, nowMs: number): Promise<{ event: WebhookEvent; receiver: string } | null>;
}

/** Hides events that ended before `oldestMs()`, even if they have not been removed yet. */
export function createEventLog(db: Kysely<Database>, oldestMs: () => number): EventLog {
  const kept = () => sql<boolean>`(ended_at is null or ended_at >= ${new Date(oldestMs())})`;
  return {
    search: async ({ accountId, taskId, state }: EventFilter, limit: number, after?: EventPlace) => {
      let query = db
        .selectFrom('webhook_events')
        .select(eventColumns)
        .where(kept())
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      if (accountId !== undefined) query = query.where('account_id', '=', accountId);
      if (taskId !== undefined) query = query.where('task_id', '=', taskId);
      if (state !== undefined) query = query.where('state', '=', state);
      if (after !== undefined)
        query = query.where(sql<boolean>`(created_at, id) < (${new Date(after.createdAtMs)}, ${after.id})`);
      return (await query.execute()).map(eventOf);
    },
    find: async (eventId) => {
      const row = await db
        .selectFrom('webhook_events')
        .select([...eventColumns, 'body'])
        .where('id', '=', eventId)
        .where(kept())
        .executeTakeFirst();
      if (row === undefined) return null;
      const attempts = await db
        .selectFrom('webhook_attempts')
        .selectAll()
        .where('event_id', '=', eventId)
        .orderBy('n')
        .execute();
      return { event: eventOf(row), attempts: attempts.map(attemptOf), body: row.body };
    },
    restart: async (eventId, nowMs) => {
      const row = await db
        .updateTable('webhook_events')
        .set(({ eb }) => ({
          state: 'pending',
          place: 0,
          generation: eb('generation', '+', 1),
          is_manual: true,
          due_at: new Date(nowMs),
          ended_at: null,
        }))
        .where('id', '=', eventId)
        .where(kept())
        .returning([...eventColumns, 'receiver'])
        .executeTakeFirst();
      return row === undefined ? null : { event: eventOf(row), receiver: row.receiver };
    },
  };
}
