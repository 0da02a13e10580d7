import { type Kysely, sql } from 'kysely';
import type { Database } from '../store/database.ts';

/** Open work of one kind in the database. */
export interface Backlog {
  readonly kind: 'tasks' | 'events';
  /** Rows that have not ended. */
  readonly open: number;
  /** Open rows that are due and that no process has taken up. */
  readonly due: number;
  /** How long the oldest due row has been due, ms; 0 without one. */
  readonly oldestDueMs: number;
}

/** The open work in the database, for all processes together. */
export interface Kept {
  readonly backlogs: readonly Backlog[];
  /** Requests with a hold that is not settled yet. */
  readonly holds: number;
}

/** Reads what waits. Every count is over a partial index, so that ended rows cost nothing. */
export async function readKept(db: Kysely<Database>, nowMs: number): Promise<Kept> {
  const at = new Date(nowMs);
  const backlog = async (kind: Backlog['kind'], table: 'tasks' | 'webhook_events'): Promise<Backlog> => {
    const { rows } = await sql<{ held: bigint; free: bigint; due: bigint; oldest: Date | null }>`
      select
        (select count(*) from ${sql.table(table)} where due_at is not null and holder is not null) as held,
        count(*) as free, count(*) filter (where due_at <= ${at}) as due, min(due_at) as oldest
      from ${sql.table(table)} where due_at is not null and holder is null`.execute(db);
    const [{ held, free, due, oldest } = { held: 0n, free: 0n, due: 0n, oldest: null }] = rows;
    return {
      ...{ kind, open: Number(held + free), due: Number(due) },
      oldestDueMs: oldest === null ? 0 : Math.max(0, nowMs - oldest.getTime()),
    };
  };
  const backlogs = [await backlog('tasks', 'tasks'), await backlog('events', 'webhook_events')];
  const { holds } = await db
    .selectFrom('open_holds')
    .select((count) => count.fn.countAll<bigint>().as('holds'))
    .executeTakeFirstOrThrow();
  return { backlogs, holds: Number(holds) };
}
