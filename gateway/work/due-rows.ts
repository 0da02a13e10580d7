import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../store/database.ts';
import type { Instances } from './instances.ts';

/**
 * A table of work. A row is due from `due_at` on, unless that is null. Only its owner (`holder`) works on it and changes it:
 * the process of the last claim, as long as `claims` is unchanged. A new `generation` shows that the row was made due again
 * meanwhile.
 */
export interface DueTable<Stored, Row extends Claimed> {
  readonly name: 'tasks' | 'webhook_events';
  /** The share that a row belongs to at this time. Capacity is counted by share. */
  readonly share: (now: Date) => RawBuilder<string>;
  /** When an unclaimed due row changes its share; null for never. */
  readonly shareChangesAt: RawBuilder<Date> | null;
  /** Columns that move with `due_at` where the row is pulled back. */
  readonly timesBeside: readonly string[];
  readonly columns: RawBuilder<Stored>;
  readonly read: (stored: Stored, claim: Claimed) => Row;
}

/** A row that this process has claimed. */
export interface Claimed {
  readonly id: string;
  readonly share: string;
  /** The name of this process at the claim, and the fencing number: each write about the row asks for both. */
  readonly holder: string;
  readonly fence: number;
}

/** Queries about the rows of a table: which are due, when, and who owns them. */
export interface DueRows<Row extends Claimed> {
  /** The shares of due rows without an owner, the longest waiting first. */
  dueShares(nowMs: number): Promise<string[]>;
  /** When the next row falls due, or changes its share. */
  nextAtMs(nowMs: number): Promise<number | null>;
  /** Claims due rows of these shares, up to the given number of each. */
  claim(freeSlots: ReadonlyMap<string, number>, nowMs: number): Promise<Row[]>;
  /** Releases the rows of this process, except these, without changing them; returns which. */
  releaseAllBut(ids: readonly string[]): Promise<string[]>;
  /** The other processes that own rows. */
  otherHolders(): Promise<string[]>;
  /** Releases all rows of one owner, or of all others (null); returns how many. */
  release(holder: string | null): Promise<number>;
  /**
   * Makes rows without an owner due now that would wait for longer than they ever do (`longestMs`): the clock that set their time
   * was ahead of ours. Returns how many.
   */
  pullBack(nowMs: number, longestMs: RawBuilder<number>): Promise<number>;
}

export function createDueRows<Stored, Row extends Claimed>(
  db: Kysely<Database>,
  instances: Pick<Instances, 'own'>,
  { name, share, shareChangesAt, timesBeside, columns, read }: DueTable<Stored, Row>,
): DueRows<Row> {
  const table = sql.table(name);
  const isFree = sql`holder is null and due_at is not null`;
  const isHeld = sql`holder is not null and due_at is not null`;
  return {
    dueShares: async (nowMs) => {
      const now = new Date(nowMs);
      const { rows } = await sql<{ share: string }>`
        select share from (select ${share(now)} as share, due_at from ${table} where ${isFree} and due_at <= ${now}) as due
        group by share order by min(due_at), share`.execute(db);
      return rows.map((row) => row.share);
    },
    nextAtMs: async (nowMs) => {
      const now = new Date(nowMs);
      const changes =
        shareChangesAt === null
          ? sql`null`
          : sql`(select min(${shareChangesAt}) from ${table} where ${isFree} and due_at <= ${now} and ${shareChangesAt} > ${now})`;
      const { rows } = await sql<{ at: Date | null }>`
        select least((select min(due_at) from ${table} where ${isFree} and due_at > ${now}), ${changes}) as at`.execute(
        db,
      );
      return rows[0]?.at?.getTime() ?? null;
    },
    claim: async (freeSlots, nowMs) => {
      const now = new Date(nowMs);
      const wanted = JSON.stringify([...freeSlots].map(([its, room]) => ({ share: its, room })));
      const holder = instances.own;
      const { rows } = await sql<Stored & { id: string; share: string; fence: number }>`
        with
          wanted as (select * from json_to_recordset(${wanted}::json) as x(share text, room integer)),
          due as (
            select free.id as due_id from wanted cross join lateral (
              select id from ${table} where ${share(now)} = wanted.share and ${isFree} and due_at <= ${now}
              order by due_at, id limit wanted.room for update skip locked
            ) as free
          )
        update ${table} set holder = ${holder}, claims = claims + 1
        where id = any(array(select due_id from due)) and demand_process(${holder})
        returning ${columns}, ${share(now)} as share, claims as fence`.execute(db);
      return rows.map((row) => read(row, { id: row.id, share: row.share, holder, fence: row.fence }));
    },
    releaseAllBut: async (ids) => {
      const { rows } = await sql<{ id: string }>`
        update ${table} set holder = null where holder = ${instances.own} and ${isHeld} and id <> all(${[...ids]}::text[])
        returning id`.execute(db);
      return rows.map(({ id }) => id);
    },
    otherHolders: async () => {
      const { rows } = await sql<{ holder: string }>`
        select distinct holder from ${table} where ${isHeld} and holder <> ${instances.own}`.execute(db);
      return rows.map(({ holder }) => holder);
    },
    release: async (holder) => {
      const whose = holder === null ? sql`holder <> ${instances.own}` : sql`holder = ${holder}`;
      const { numAffectedRows } =
        await sql`update ${table} set holder = null where ${isHeld} and ${whose}`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
    pullBack: async (nowMs, longestMs) => {
      const now = new Date(nowMs);
      const times = ['due_at', ...timesBeside].map((column) => sql`${sql.ref(column)} = ${now}`);
      const { numAffectedRows } = await sql`
        update ${table} set ${sql.join(times)}
        where ${isFree} and due_at > ${now}::timestamptz + (${longestMs})::double precision * interval '1 millisecond'`.execute(
        db,
      );
      return Number(numAffectedRows ?? 0n);
    },
  };
}
