import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely';
import type { Database, UsageRecordsTable } from '../store/database.ts';
import { readPrice } from './applied-price.ts';
import { decodeEntries, decodeText, encodeEntries, encodeText } from './stored-text.ts';
import { maxEndUserLength, type UsageRecord } from './usage-record.ts';

/** What records must have; all that is given must hold. */
export interface UsageFilter {
  readonly requestId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly endUser?: string | undefined;
  /** The model that answered. */
  readonly modelId?: string | undefined;
  /** When the request ended, in Unix milliseconds: from the first on, before the second. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Pairs that stand in its metadata, among others. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** A place among the records, which go from the newest to the oldest. */
export type UsageCursor = Pick<UsageRecord, 'ended_at_ms' | 'request_id'>;

/** Reads what is on record; a record that was written durably is there for the next read. */
export interface UsageReader {
  /** Newest first: at most `limit` of those that come after a place, or of all. Rejects when the database does. */
  search(filter: UsageFilter, limit: number, after?: UsageCursor): Promise<UsageRecord[]>;
}

export function createUsageReader(db: Kysely<Database>): UsageReader {
  return {
    search: async (filter, limit, after) => {
      const rows = await db
        .selectFrom('usage_records')
        .selectAll()
        .where((eb) => eb.and([...conditions(eb, filter), ...(after === undefined ? [] : [isAfter(after)])]))
        .orderBy('ended_at', 'desc')
        .orderBy('request_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(recordOf);
    },
  };
}

function conditions(
  eb: ExpressionBuilder<Database, 'usage_records'>,
  { requestId, accountId, endUser, modelId, fromMs, toMs, metadata }: UsageFilter,
): Expression<SqlBool>[] {
  return [
    ...(requestId === undefined ? [] : [eb('request_id', '=', encodeText(requestId))]),
    ...(accountId === undefined ? [] : [eb('account_id', '=', accountId)]),
    ...(endUser === undefined ? [] : [eb('end_user', '=', encodeText(endUser.slice(0, maxEndUserLength)))]),
    ...(modelId === undefined ? [] : [eb('model_served', '=', encodeText(modelId))]),
    ...(fromMs === undefined ? [] : [eb('ended_at', '>=', new Date(fromMs))]),
    ...(toMs === undefined ? [] : [eb('ended_at', '<', new Date(toMs))]),
    ...(metadata === undefined || Object.keys(metadata).length === 0 ? [] : [hasPairs(metadata)]),
  ];
}

function hasPairs(metadata: Readonly<Record<string, string>>): Expression<SqlBool> {
  return sql<boolean>`metadata @> ${JSON.stringify(encodeEntries(metadata))}::jsonb`;
}

function isAfter({ ended_at_ms, request_id }: UsageCursor): Expression<SqlBool> {
  return sql<boolean>`(ended_at, request_id) < (${new Date(ended_at_ms)}::timestamptz, ${encodeText(request_id)}::text)`;
}

function recordOf(row: Selectable<UsageRecordsTable>): UsageRecord {
  const { started_at, ended_at, price, charge_pico, ...rest } = row;
  return {
    ...rest,
    request_id: decodeText(row.request_id),
    model_requested: decodeText(row.model_requested),
    model_served: decodeText(row.model_served),
    outcome: decodeText(row.outcome),
    end_user: row.end_user === null ? null : decodeText(row.end_user),
    metadata: row.metadata === null ? null : decodeEntries(row.metadata),
    task_id: row.task_id === null ? null : decodeText(row.task_id),
    charge_pico: BigInt(charge_pico),
    price: readPrice(price),
    parents: row.parents.map(decodeText),
    started_at_ms: started_at.getTime(),
    ended_at_ms: ended_at.getTime(),
  };
}
