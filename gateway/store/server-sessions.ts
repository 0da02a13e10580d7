import pg from 'pg';
import { clientConfig } from './connection-pool.ts';
import type { ServerAddress } from './server-address.ts';
import { StoreError } from './store-errors.ts';
import type { StoreLink } from './store-link.ts';

const tries = 3;

/**
 * Rejects a pooler that assigns server connections per transaction or statement. Behind such a pooler, a session lock passes
 * to the next client and notices are lost. Nothing fails visibly, but caps and holds go wrong.
 * @throws StoreError
 */
export async function demandSessions(server: ServerAddress, link: StoreLink | null): Promise<void> {
  const clients = [0, 1].map(() => new pg.Client(clientConfig(server, link)));
  const [one, other] = clients as [pg.Client, pg.Client];
  try {
    await one.connect();
    const backend = await backendOf(one);
    // A pooler cannot report the process id of the server to its clients.
    if ('processID' in one && one.processID === backend) return;
    await other.connect();
    for (let turn = 0; turn < tries; turn += 1) {
      const before = await backendOf(one);
      await other.query('begin');
      const taken = await backendOf(other);
      const after = await backendOf(one);
      await other.query('rollback');
      if (taken === before || after !== before) throw new StoreError(refusal(server.place));
    }
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

function refusal(place: string): string {
  return (
    `The database in ${place} is reached through a pooler in transaction mode, which keeps neither locks nor LISTEN of a ` +
    'session: name the server itself as store.session_url (or DATABASE_SESSION_URL), or have the pooler use session mode.'
  );
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
