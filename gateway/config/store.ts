import { z } from 'zod';
import { sizeBytes } from './fields.ts';
import { waitMs } from './waits.ts';

const place = z.string('must be a text').min(1, 'must not be empty');

/** Where the data are, and what a database server is asked to bear of one process. */
export const store = z.strictObject({
  data_dir: place.optional(),
  url: place.optional(),
  // The server itself, where `url` leads to a pooler that has no sessions: for what lasts beyond a transaction.
  session_url: place.optional(),
  // Of each process, at most; what hears notices has one beside them. Below four, work waits for the ledger.
  connections: z
    .int('must be a whole number')
    .min(4, 'must be at least 4')
    .max(500, 'must be at most 500')
    .default(10),
  // How long a connection may take, or a statement wait for one.
  connect_timeout_ms: waitMs.default(30_000),
  statement_timeout_ms: waitMs.default(60_000),
  // Where what answers cost waits while the database is out of reach; below the data or media directory by default.
  spool_dir: place.optional(),
  // Of each process, at most. Beyond it answers fail.
  spool_bytes: sizeBytes.default(32 * 1024 * 1024),
});
