import pg from 'pg';

/** Classes of SQLSTATE that speak of the connection or the server, never of the statement's rows. */
const serverClasses = ['08', '53', '57', '58', 'XX'];

/**
 * Whether a query failed because the database was out of reach or unwell, so that trying its rows one by one
 * would only fail as often as there are rows. Anything that is not an answer of the database counts.
 */
export function isConnectionFailure(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || serverClasses.includes(error.code?.slice(0, 2) ?? 'XX');
}
