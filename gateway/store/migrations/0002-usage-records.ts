import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// No foreign keys: what was used stays on record whatever becomes of the account.
const STATEMENTS = [
  sql`
    create table usage_records (
      request_id text primary key,
      account_id text not null,
      user_id text not null,
      app_id text not null,
      key_id text not null,
      model_requested text not null,
      model_served text not null,
      channel_id text,
      outcome text not null,
      stream boolean not null,
      attempts integer not null check (attempts >= 0),
      prompt_tokens bigint not null check (prompt_tokens >= 0),
      completion_tokens bigint not null check (completion_tokens >= 0),
      cached_tokens bigint not null check (cached_tokens >= 0),
      usage_known boolean not null,
      end_user text,
      metadata jsonb,
      started_at timestamptz not null,
      ended_at timestamptz not null
    )`,
  sql`create index usage_records_by_account on usage_records (account_id, started_at)`,
  sql`
    create function refuse_rewriting() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
    end
    $$`,
  sql`
    create trigger usage_records_append_only
    before update or delete or truncate on usage_records
    for each statement execute function refuse_rewriting()`,
];

/** One row a request, written once: changing, deleting and truncating are refused by the database itself. */
export const createUsageRecords: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await statement.execute(db);
    }
  },
};
