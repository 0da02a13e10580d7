import type { Kysely, Selectable } from 'kysely';
import type { AdminAuditTable, AuditOutcome } from '../store/audit-table.ts';
import type { Database } from '../store/database.ts';

/** The resource that a change concerns. */
export interface AuditSubject {
  readonly resourceId: string | null;
  readonly accountId: string | null;
}

/** A change that an administrator asked for. */
export interface AuditLine extends AuditSubject {
  /** Unix milliseconds. */
  readonly atMs: number;
  /** The name of the admin token. */
  readonly token: string;
  readonly method: string;
  readonly path: string;
  readonly resource: string;
  readonly requestId: string;
  /** The request body. No admin request contains a secret. */
  readonly changes: Readonly<Record<string, unknown>>;
}

export interface AuditEntry extends AuditLine {
  readonly id: bigint;
  /** `unknown`: it was begun, and the gateway died or lost its database before the end. */
  readonly outcome: AuditOutcome;
}

export interface AuditFilter {
  readonly token?: string | undefined;
  readonly resource?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** The durable record of what administrators changed. */
export interface AuditTrail {
  /** Writes the line of a change in the transaction of the change: both, or neither. */
  write(trx: Kysely<Database>, line: AuditLine): Promise<void>;
  /** Writes the line of a change that cannot share a transaction, before the change. Returns the id of the line. */
  begin(line: AuditLine): Promise<bigint>;
  /** Marks the change as made. */
  done(id: bigint, subject: AuditSubject): Promise<void>;
  /** Deletes the line of a change that was not made. */
  drop(id: bigint): Promise<void>;
  /** Returns the newest lines first, at most `limit`, and only those older than `before` (an id) if given. */
  search(filter: AuditFilter, limit: number, before: bigint | null): Promise<AuditEntry[]>;
}

/** Longest stored body in characters of JSON. For a longer one, only the names of its members are stored. */
const maxChangesLength = 4_096;

export function createAuditTrail(db: Kysely<Database>): AuditTrail {
  const insert = (into: Kysely<Database>, line: AuditLine, outcome: AuditOutcome) =>
    into
      .insertInto('admin_audit')
      .values({
        at: new Date(line.atMs),
        token: line.token,
        method: line.method,
        path: line.path,
        resource: line.resource,
        resource_id: line.resourceId,
        account_id: line.accountId,
        request_id: line.requestId,
        changes: changesText(line.changes),
        outcome,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
  return {
    write: async (trx, line) => void (await insert(trx, line, 'done')),
    begin: async (line) => (await insert(db, line, 'unknown')).id,
    done: async (id, { resourceId, accountId }) => {
      await db
        .updateTable('admin_audit')
        .set({ outcome: 'done', resource_id: resourceId, account_id: accountId })
        .where('id', '=', id)
        .execute();
    },
    drop: async (id) => void (await db.deleteFrom('admin_audit').where('id', '=', id).execute()),
    search: async (filter, limit, before) => (await rowsOf(db, filter, limit, before)).map(entryOf),
  };
}

function rowsOf(
  db: Kysely<Database>,
  { token, resource, resourceId, accountId, fromMs, toMs }: AuditFilter,
  limit: number,
  before: bigint | null,
): Promise<Selectable<AdminAuditTable>[]> {
  return db
    .selectFrom('admin_audit')
    .selectAll()
    .$if(token !== undefined, (query) => query.where('token', '=', token ?? ''))
    .$if(resource !== undefined, (query) => query.where('resource', '=', resource ?? ''))
    .$if(resourceId !== undefined, (query) => query.where('resource_id', '=', resourceId ?? ''))
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .$if(fromMs !== undefined, (query) => query.where('at', '>=', new Date(fromMs ?? 0)))
    .$if(toMs !== undefined, (query) => query.where('at', '<', new Date(toMs ?? 0)))
    .$if(before !== null, (query) => query.where('id', '<', before ?? 0n))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

function entryOf(row: Selectable<AdminAuditTable>): AuditEntry {
  const { at, resource_id: resourceId, account_id: accountId, request_id: requestId, ...rest } = row;
  return { ...rest, atMs: at.getTime(), resourceId, accountId, requestId };
}

function changesText(changes: AuditLine['changes']): string {
  const text = JSON.stringify(changes);
  if (text.length <= maxChangesLength) return text;
  return JSON.stringify({ too_long: Object.keys(changes) });
}
