import type { Kysely } from 'kysely';
import type { Database } from '../store/database.ts';
import { decodeEntries, decodeText, encodeText } from './stored-text.ts';
import type { UsageRecord } from './usage-writer.ts';

/** Reads what is on record; a record that was written durably is there for the next read. */
export interface UsageReader {
  /** The records of one request, by the id in its answer; none when the id is not known. Rejects when the database does. */
  ofRequest(requestId: string): Promise<UsageRecord[]>;
}

export function createUsageReader(db: Kysely<Database>): UsageReader {
  return {
    ofRequest: async (requestId) => {
      const rows = await db
        .selectFrom('usage_records')
        .selectAll()
        .where('request_id', '=', encodeText(requestId))
        .execute();
      return rows.map(({ started_at, ended_at, ...row }) => ({
        ...row,
        request_id: decodeText(row.request_id),
        model_requested: decodeText(row.model_requested),
        model_served: decodeText(row.model_served),
        outcome: decodeText(row.outcome),
        end_user: row.end_user === null ? null : decodeText(row.end_user),
        metadata: row.metadata === null ? null : decodeEntries(row.metadata),
        started_at_ms: started_at.getTime(),
        ended_at_ms: ended_at.getTime(),
      }));
    },
  };
}
