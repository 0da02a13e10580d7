import pg from 'pg';
import type { Ask, SessionWork } from './server-session.ts';

/** A statement that has been sent. */
interface Waiting {
  readonly sinceMs: number;
  /** Whether the server was not working on it when it was last asked. */
  isDoubted: boolean;
}

/** A statement that waits for longer may have been lost. */
const lateMs = 3_000;

/**
 * Finds connections whose network path is gone although nothing has closed them: the server waits for a statement on them, and we
 * wait for its answer. Each is ended, with all that are idle, because a path rarely breaks for one alone. Otherwise every statement
 * would wait for its timeout, one connection after the other. A statement that only takes long is left alone.
 */
export class SilentConnections implements SessionWork {
  readonly #now: () => number;
  readonly #waiting = new Map<pg.PoolClient, Waiting | null>();

  /** `now`: a time in milliseconds that only runs forward. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Watches a new connection, until it closes. */
  watch(client: pg.PoolClient): void {
    this.#waiting.set(client, null);
    client.once('end', () => this.#waiting.delete(client));
    const query: (...given: unknown[]) => unknown = client.query.bind(client);
    const watched = (...given: unknown[]): unknown => {
      const result = query(...given);
      if (!(result instanceof Promise)) return result;
      const waiting: Waiting = { sinceMs: this.#now(), isDoubted: false };
      this.#waiting.set(client, waiting);
      const over = (): void => {
        if (this.#waiting.get(client) === waiting) this.#waiting.set(client, null);
      };
      result.then(over, over);
      return result;
    };
    Object.assign(client, { query: watched });
  }

  opened(ask: Ask): Promise<void> {
    return this.renew(ask);
  }

  /** Looks twice at each late statement, because one may just arrive. */
  async renew(ask: Ask): Promise<void> {
    const nowMs = this.#now();
    const late = [...this.#waiting].flatMap(([client, waiting]) =>
      waiting !== null && nowMs - waiting.sinceMs >= lateMs ? [{ client, waiting, pid: pidOf(client) }] : [],
    );
    if (late.length === 0) return;
    // A pooler invents process ids, and a server may hide what it does: only a connection that it shows as idle counts.
    const rows = await ask(
      `select pid from pg_stat_activity where pid = any($1::int[]) and datname = current_database()
       and state like 'idle%'`,
      [late.map(({ pid }) => pid)],
    );
    const waitsForUs = new Set(rows.map((row) => (row as { pid: number }).pid));
    const idle = late.filter(
      ({ client, waiting, pid }) => this.#waiting.get(client) === waiting && waitsForUs.has(pid),
    );
    const silent = idle.filter(({ waiting }) => waiting.isDoubted);
    for (const { waiting } of idle) waiting.isDoubted = true;
    if (silent.length > 0) this.#end(silent.map(({ client }) => client));
  }

  lost(): void {}

  #end(silent: readonly pg.PoolClient[]): void {
    for (const client of silent) if (client instanceof pg.Client) void client.end().catch(() => {});
    for (const [client, waiting] of this.#waiting) {
      // The pool removes an idle connection that reports an error; one in use is watched further.
      if (waiting === null) client.emit('error', new Error('others on the same network path fell silent'));
    }
  }
}

/** The process of the server that serves a connection; the types of pg leave it out. */
function pidOf(client: pg.PoolClient): number {
  return (client as { processID?: number }).processID ?? 0;
}
