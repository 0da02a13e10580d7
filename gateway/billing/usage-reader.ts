import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely';
import type { Database } from '../store/database.ts';
import type { UsageRecordsTable } from '../store/usage-tables.ts';
import { readPrice } from './applied-price.ts';
import { decodeEntries, decodeText, encodeEntries, encodeText } from './stored-text.ts';
import { maxEndUserLength, type UsageRecord } from './usage-record.ts';

/** A filter of records: all given conditions must hold. */
export interface UsageFilter {
  readonly requestId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly endUser?: string | undefined;
  /** The model that answered. */
  readonly modelId?: string | undefined;
  /** When the request ended, in Unix milliseconds: from the first (inclusive) to the second (exclusive). */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Pairs that its metadata must contain, among others. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** A cursor in the records, which are sorted from newest to oldest. */
export type UsageCursor = Pick<UsageRecord, 'ended_at_ms' | 'request_id'>;

/** Reads usage records. A record is visible as soon as it is durable. */
export interface UsageReader {
  /** Newest first: at most `limit` records, after the cursor if given. Rejects when the database does. */
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
