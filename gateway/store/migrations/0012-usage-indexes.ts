import { sql } from 'kysely';
import { statements } from './statements.ts';

/** Indexes in the order in which administrators read, so that no question looks through all records. */
export const orderUsage = statements([
  sql`create index usage_records_by_account_time on usage_records (account_id, ended_at, request_id)`,
  sql`create index usage_records_by_model_time on usage_records (model_served, ended_at, request_id)`,
  sql`
    create index usage_records_by_end_user_time on usage_records (end_user, ended_at, request_id)
    where end_user is not null`,
  // What they are better at.
  sql`drop index usage_records_by_account`,
  sql`drop index usage_records_by_end_user`,
]);
