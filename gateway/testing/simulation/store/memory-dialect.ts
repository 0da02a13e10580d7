import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Database } from '../../../store/database.ts';
import { StoreLine, type StoreLineParts } from './store-line.ts';

/** The store as one process sees it: every statement takes time, and its answer may be lost. */
export interface ProcessStore {
  readonly db: Kysely<Database>;
  /** Breaks an idle connection, if there is one. */
  severIdle(): boolean;
  /** The process has died: its connections end. */
  kill(): void;
}

export function processStore(parts: StoreLineParts): ProcessStore {
  const lines = new Set<StoreLine>();
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driverOver(parts, lines),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return {
    db: new Kysely<Database>({ dialect }),
    severIdle: () => {
      const [idle] = [...lines].filter((line) => line.isIdle);
      idle?.sever();
      return idle !== undefined;
    },
    kill: () => {
      for (const line of lines) line.kill();
      // Not before all are dead: a transaction that ends lets the statements of others go on.
      for (const line of lines) line.hangUp();
    },
  };
}

/** A connection of the query builder over a line to the store. */
class Connection implements DatabaseConnection {
  readonly line: StoreLine;

  constructor(line: StoreLine) {
    this.line = line;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, written } = await this.line.execute(sql, parameters);
    const given = rows as unknown as Row[];
    return written === null ? { rows: given } : { rows: given, numAffectedRows: BigInt(written) };
  }

  // biome-ignore lint/correctness/useYield: nothing in the gateway streams rows.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('the model of the store does not stream');
  }
}

function driverOver(parts: StoreLineParts, lines: Set<StoreLine>): Driver {
  const lineOf = (connection: DatabaseConnection): StoreLine => {
    if (connection instanceof Connection) return connection.line;
    throw new Error('a connection of another driver');
  };
  return {
    init: async () => {},
    acquireConnection: async () => {
      const line = new StoreLine(parts);
      lines.add(line);
      return new Connection(line);
    },
    releaseConnection: async (connection) => {
      const line = lineOf(connection);
      lines.delete(line);
      line.close();
    },
    beginTransaction: (connection) => lineOf(connection).begin(),
    commitTransaction: (connection) => lineOf(connection).commit(),
    rollbackTransaction: (connection) => lineOf(connection).rollback(),
    destroy: async () => {},
  };
}
