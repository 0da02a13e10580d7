import { sql } from 'kysely';
import { statements } from './statements.ts';

/** Which changes of the directory each process on a server has in effect. */
export const createDirectoryReaders = statements([
  sql`create table if not exists directory_readers (process text primary key, revision bigint not null)`,
]);
