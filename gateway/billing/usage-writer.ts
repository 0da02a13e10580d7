import { type Kysely, sql } from 'kysely';
import { isConnectionFailure } from '../store/connection-failure.ts';
import type { Database } from '../store/database.ts';
import { GroupCommit } from '../store/group-commit.ts';
import { encodeEntries, encodeText } from './stored-text.ts';
import { UsageNotKept } from './usage-not-kept.ts';

/** What one request used; written once, keyed by the request. Specification: "What the service does". */
export interface UsageRecord {
  request_id: string;
  account_id: string;
  user_id: string;
  app_id: string;
  key_id: string;
  /** The id that the caller asked for, and the id that answered. */
  model_requested: string;
  model_served: string;
  /** The channel that answered last; null when none was asked. */
  channel_id: string | null;
  /** How the request ended: `ok` or the code of its error. */
  outcome: string;
  stream: boolean;
  /** Calls to upstreams. */
  attempts: number;
  /** Tokens as the upstream counted them. */
  prompt_tokens: bigint;
  completion_tokens: bigint;
  /** The part of `prompt_tokens` that was read from a cache. */
  cached_tokens: bigint;
  /** The parts that were written to a cache slot of 5 minutes and of 1 hour. */
  cache_write_5m_tokens: bigint;
  cache_write_1h_tokens: bigint;
  /** False when no upstream reported a count; the counts are 0 then. */
  usage_known: boolean;
  /** The caller's own label for the person behind the request. */
  end_user: string | null;
  metadata: Record<string, string> | null;
  /** Unix time in milliseconds. */
  started_at_ms: number;
  ended_at_ms: number;
}

/** Writes usage records durably, many at a time. */
export interface UsageWriter {
  /**
   * Resolves when the record is durable; a record whose request is on record already changes nothing.
   * Rejects with UsageNotKept when the database refuses the record, is out of reach, or too many records wait.
   */
  write(record: UsageRecord): Promise<void>;
  /** Resolves when every record given to `write` has been written or rejected. */
  drain(): Promise<void>;
}

/** A writer over the given database; one a process, because it is what makes batches. */
export function createUsageWriter(db: Kysely<Database>): UsageWriter {
  const group = new GroupCommit<StoredRecord>({
    commit: (records) => insertRecords(db, records),
    isConnectionFailure,
  });
  return {
    write: async (record) => {
      try {
        await group.add(toStored(record));
      } catch (error) {
        throw new UsageNotKept(record, error);
      }
    },
    drain: () => group.drain(),
  };
}

/** A record in the form that goes through JSON without loss. */
type StoredRecord = ReturnType<typeof toStored>;

function toStored(record: UsageRecord) {
  const { started_at_ms, ended_at_ms, ...rest } = record;
  return {
    ...rest,
    request_id: encodeText(record.request_id),
    model_requested: encodeText(record.model_requested),
    model_served: encodeText(record.model_served),
    outcome: encodeText(record.outcome),
    prompt_tokens: record.prompt_tokens.toString(),
    completion_tokens: record.completion_tokens.toString(),
    cached_tokens: record.cached_tokens.toString(),
    cache_write_5m_tokens: record.cache_write_5m_tokens.toString(),
    cache_write_1h_tokens: record.cache_write_1h_tokens.toString(),
    end_user: record.end_user === null ? null : encodeText(record.end_user),
    metadata: record.metadata === null ? null : encodeEntries(record.metadata),
    started_at: new Date(started_at_ms).toISOString(),
    ended_at: new Date(ended_at_ms).toISOString(),
  };
}

/** One statement with one parameter however many the records: its text is always the same. */
async function insertRecords(db: Kysely<Database>, records: readonly StoredRecord[]): Promise<void> {
  await sql`
    insert into usage_records (
      request_id, account_id, user_id, app_id, key_id, model_requested, model_served, channel_id, outcome,
      stream, attempts, prompt_tokens, completion_tokens, cached_tokens, cache_write_5m_tokens,
      cache_write_1h_tokens, usage_known, end_user, metadata, started_at, ended_at)
    select * from json_to_recordset(${JSON.stringify(records)}::json) as x(
      request_id text, account_id text, user_id text, app_id text, key_id text, model_requested text,
      model_served text, channel_id text, outcome text,
      stream boolean, attempts integer, prompt_tokens bigint, completion_tokens bigint, cached_tokens bigint,
      cache_write_5m_tokens bigint, cache_write_1h_tokens bigint, usage_known boolean, end_user text, metadata jsonb,
      started_at timestamptz, ended_at timestamptz)
    on conflict (request_id) do nothing`.execute(db);
}
