import { randomBytes } from 'node:crypto';

/** A database of a PostgreSQL server that one stack has to itself. */
export interface ServerDatabase {
  readonly url: string;
  /** Removes it, with all that is in it. */
  drop(): Promise<void>;
}

/** Makes a database on the server of this address, whose user must be allowed to. */
export async function makeDatabase(serverUrl: string): Promise<ServerDatabase> {
  const name = `gatecheck_stack_${randomBytes(6).toString('hex')}`;
  await tell(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => tell(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function tell(serverUrl: string, statement: string): Promise<void> {
  // Only stacks on a server load it.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
