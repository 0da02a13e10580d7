import pg from 'pg';

/** The answer to a process that writes in its name after others took it for gone. */
export const fencedState = 'GF001';
/** Whether the database refused a write because others took this process for gone. */
export function isFenced(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === fencedState;
}

/** SQLSTATE classes about the connection, the server or this process, never about the statement's rows. */
const serverClasses = ['08', '53', '57', '58', 'GF', 'XX'];
/** The server takes no writes: it is, or was made, one that only reads. */
export const readOnly = '25006';

/**
 * Whether a query failed because the database was out of reach or faulty. Then retrying its rows one by one would
 * only fail as often as there are rows. Any error that did not come from the database counts as such a failure.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return error.code === readOnly || serverClasses.includes(error.code?.slice(0, 2) ?? 'XX');
}
