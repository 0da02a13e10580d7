import pg from 'pg';

/** SQLSTATE for a write by a process that others have declared dead. */
export const fencedState = 'GF001';
/** Whether the database refused a write because other processes declared this one dead. */
export function isFenced(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === fencedState;
}

/** SQLSTATE classes about the connection, the server or this process, never about the statement's rows. */
const serverClasses = ['08', '53', '57', '58', 'GF', 'XX'];
/** The server is read-only, or has become read-only. */
export const readOnly = '25006';

/**
 * Whether a query failed because the database is unreachable or faulty. Then it is pointless to retry the rows one by one.
 * Any error that did not come from the database counts as such a failure.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return error.code === readOnly || serverClasses.includes(error.code?.slice(0, 2) ?? 'XX');
}
