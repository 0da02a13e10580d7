import { z } from 'zod';
import { sizeBytes } from './fields.ts';
import { waitMs } from './waits.ts';

const place = z.string('must be a text').min(1, 'must not be empty');

/** Where data are stored, and how much load one process may put on a database server. */
export const store = z.strictObject({
  data_dir: place.optional(),
  url: place.optional(),
  // The server itself, if `url` points to a pooler without sessions: for locks and notices that outlast a transaction.
  session_url: place.optional(),
  // Maximum number of connections per process; the one that listens for notices is extra. Below four, ledger writes delay
  // other work.
  connections: z
    .int('must be a whole number')
    .min(4, 'must be at least 4')
    .max(500, 'must be at most 500')
    .default(10),
  // How long opening a connection may take, and how long a statement may wait for a connection.
  connect_timeout_ms: waitMs.default(30_000),
  statement_timeout_ms: waitMs.default(60_000),
  // Where usage records wait while the database is unreachable; below the data or media directory by default.
  spool_dir: place.optional(),
  // Maximum per process. Beyond it, answers fail.
  spool_bytes: sizeBytes.default(32 * 1024 * 1024),
});
