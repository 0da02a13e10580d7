import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database, TasksTable } from '../store/database.ts';
import { jobIn, jobKey } from './job-key.ts';

/** News of jobs in the database, by which processes tell each other. */
export interface NewsStore {
  /** Notes that there is news of jobs, for whoever holds their tasks; those that there are tasks of, ended ones too. */
  note(jobs: readonly string[]): Promise<string[]>;
  /** The jobs of which there is news and whose tasks this process holds; nobody is told again. */
  take(): Promise<string[]>;
}

export function createNewsStore(db: Kysely<Database>, own: string): NewsStore {
  return {
    note: async (jobs) => {
      const wanted = new Set(jobs);
      const found = await db
        .selectFrom('tasks')
        .select(['id', 'channel_id', 'native_id', 'ended_at', 'news'])
        .where('native_id', '=', sql<string>`any(${jobs.map(nativeIdOf)})`)
        .execute();
      const known = found.map((row) => ({ ...row, job: jobOfRow(row) })).filter(({ job }) => wanted.has(job));
      // One by one: who waits for one row and has none never waits for somebody who waits for them.
      for (const { id } of known.filter((row) => row.ended_at === null && !row.news)) {
        await db
          .updateTable('tasks')
          .set({ news: true })
          .where('id', '=', id)
          .where('ended_at', 'is', null)
          .execute();
      }
      return known.map(({ job }) => job);
    },
    take: async () => {
      // Rows that a step is about to change are left for the next time, for the same reason.
      const { rows } = await sql<Row>`
        update tasks set news = false
        where id in (select id from tasks where holder = ${own} and news for update skip locked)
        returning channel_id, native_id`.execute(db);
      return rows.map(jobOfRow);
    },
  };
}

type Row = Pick<Selectable<TasksTable>, 'channel_id' | 'native_id'>;

/** As a row keeps it. */
function nativeIdOf(job: string): string {
  return JSON.stringify(jobIn(job).nativeId);
}

function jobOfRow({ channel_id: channelId, native_id: nativeId }: Row): string {
  return jobKey(channelId ?? '', JSON.parse(nativeId ?? '""'));
}
