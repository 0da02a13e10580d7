import { sql } from 'kysely';
import { statements } from './statements.ts';

// Only a transaction that says up to when it forgets may delete, and only older records. The setting ends with it.
const refuseUsageRewriting = sql`
  create or replace function refuse_usage_rewriting() returns trigger language plpgsql as $$
  declare
    forgotten constant timestamptz := nullif(current_setting('gatecheck.forget_usage_before', true), '')::timestamptz;
  begin
    if tg_op = 'DELETE' and forgotten is not null then
      if tg_level = 'STATEMENT' then return null; end if;
      if old.ended_at < forgotten then return old; end if;
    end if;
    raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
  end
  $$`;

/** Lets old usage records be forgotten; apart from that they stay append-only. */
export const forgetUsage = statements([
  refuseUsageRewriting,
  sql`
    create or replace trigger usage_records_append_only
    before update or delete or truncate on usage_records
    for each statement execute function refuse_usage_rewriting()`,
  sql`
    create or replace trigger usage_records_kept
    before delete on usage_records
    for each row execute function refuse_usage_rewriting()`,
]);
