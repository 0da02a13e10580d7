import { sql } from 'kysely';
import { statements } from './statements.ts';

// `unknown`: the change runs outside of the line's own transaction, and its end is not on record. What an administrator sent
// is stored as JSON text, whose escapes no text of the database would take.

/** What administrators changed, and by which token; digests of the keys of upstreams, by which a change of them is seen. */
export const createAdminAudit = statements([
  sql`
    create table admin_audit (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      token text not null,
      method text not null,
      path text not null,
      resource text not null,
      resource_id text,
      account_id text,
      request_id text not null,
      changes json not null,
      outcome text not null check (outcome in ('done', 'unknown'))
    )`,
  sql`create index admin_audit_by_account on admin_audit (account_id, id)`,
  sql`create index admin_audit_by_resource on admin_audit (resource, resource_id, id)`,
  sql`create table channel_keys (channel_id text primary key, digest text not null)`,
]);
