import pg from 'pg';

/** SQLSTATE classes about the connection or the server, never about the statement's rows. */
const serverClasses = ['08', '53', '57', '58', 'XX'];
/** The server takes no writes: it is, or was made, one that only reads. */
const readOnly = '25006';

/**
 * Whether a query failed because the database was out of reach or faulty. Then retrying its rows one by one would
 * only fail as often as there are rows. Any error that did not come from the database counts as such a failure.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return error.code === readOnly || serverClasses.includes(error.code?.slice(0, 2) ?? 'XX');
}
