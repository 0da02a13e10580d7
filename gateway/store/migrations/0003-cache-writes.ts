import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// The slots have prices of their own, so their tokens are counted apart.
const STATEMENT = sql`
  alter table usage_records
    add column cache_write_5m_tokens bigint not null default 0 check (cache_write_5m_tokens >= 0),
    add column cache_write_1h_tokens bigint not null default 0 check (cache_write_1h_tokens >= 0)`;

/** What a request wrote to the upstream's prompt cache; records from before wrote nothing. */
export const addCacheWrites: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await STATEMENT.execute(db);
  },
};
