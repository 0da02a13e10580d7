import { sql } from 'kysely';
import { statements } from './statements.ts';

/** Digests of the keys and addresses of upstreams, by which a start sees that they have changed. */
export const createChannelKeys = statements([
  sql`create table if not exists channel_keys (channel_id text primary key, digest text not null)`,
]);
