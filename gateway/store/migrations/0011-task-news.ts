import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// An upstream's id may be longer, written as JSON, than an index takes that keeps it.
const STATEMENTS = [
  sql`alter table tasks add column news boolean not null default false`,
  sql`create index tasks_by_job on tasks using hash (native_id)`,
  sql`create index tasks_with_news on tasks (holder) where news`,
];

/** Whether an upstream had something to tell of the job of a task, for whoever holds it. */
export const addTaskNews: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await statement.execute(db);
    }
  },
};
