import { type Kysely, sql } from 'kysely';
import type { Database } from '../store/database.ts';
import { jobIn, jobKey } from './job-key.ts';

/** The result of notifications. */
export interface Notified {
  /** The jobs that have a task, including ended tasks. */
  readonly known: string[];
  /** The unfinished tasks, and when they are due. */
  readonly due: { readonly id: string; readonly atMs: number }[];
}

/**
 * Makes the tasks of these jobs due at once, or as soon as another poll is allowed. If a job is being polled right now, the
 * new generation requests another poll.
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
  const due: Notified['due'] = [];
  // One row at a time: a statement that waits for a row while it has locked none cannot cause a deadlock.
  for (const { id } of known.filter((row) => row.ended_at === null)) {
    const { rows } = await sql<{ due_at: Date }>`
      update tasks set generation = generation + 1, due_at = least(due_at, greatest(notify_from, ${new Date(nowMs)}))
      where id = ${id} and ended_at is null returning due_at`.execute(db);
    for (const row of rows) due.push({ id, atMs: row.due_at.getTime() });
  }
  return { known: known.map(({ job }) => job), due };
}

/** The upstream's id in the form in which a row stores it. */
function nativeIdOf(job: string): string {
  return JSON.stringify(jobIn(job).nativeId);
}
