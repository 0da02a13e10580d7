import { sql } from 'kysely';
import { statements } from './statements.ts';

/** What tells one embedded store from another: clusters that are copies of one have the same system identifier. */
export const nameStores = statements([
  sql`
    create table store_identity (
      only_row boolean primary key default true check (only_row),
      id uuid not null default gen_random_uuid()
    )`,
]);
