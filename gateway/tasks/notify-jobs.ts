import { type Kysely, sql } from 'kysely';
import type { Database } from '../store/database.ts';
import { jobIn, jobKey } from './job-key.ts';

/** What a notification came to. */
export interface Notified {
  /** The jobs that there are tasks of, ended ones too. */
  readonly known: string[];
  /** When those that have not ended are due. */
  readonly dueAtMs: number[];
}

/**
 * Makes the tasks of these jobs due at once, or as soon as they may be asked after again. Of one that is being asked after
 * right now the generation says it.
 */
export async function notifyJobs(
  db: Kysely<Database>,
  jobs: readonly string[],
  nowMs: number,
): Promise<Notified> {
  const wanted = new Set(jobs);
  const found = await db
    .selectFrom('tasks')
    .select(['id', 'channel_id', 'native_id', 'ended_at'])
    .where('native_id', '=', sql<string>`any(${jobs.map(nativeIdOf)})`)
    .execute();
  const known = found
    .map((row) => ({ ...row, job: jobKey(row.channel_id ?? '', JSON.parse(row.native_id ?? '""')) }))
    .filter(({ job }) => wanted.has(job));
  const dueAtMs: number[] = [];
  // One by one: who waits for one row and has none never waits for somebody who waits for them.
  for (const { id } of known.filter((row) => row.ended_at === null)) {
    const { rows } = await sql<{ due_at: Date }>`
      update tasks set generation = generation + 1, due_at = least(due_at, greatest(notify_from, ${new Date(nowMs)}))
      where id = ${id} and ended_at is null returning due_at`.execute(db);
    for (const row of rows) dueAtMs.push(row.due_at.getTime());
  }
  return { known: known.map(({ job }) => job), dueAtMs };
}

/** As a row keeps it. */
function nativeIdOf(job: string): string {
  return JSON.stringify(jobIn(job).nativeId);
}
