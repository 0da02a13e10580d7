import type { UsageReader } from '../billing/usage-reader.ts';
import type { UsageRecord } from '../billing/usage-record.ts';

/** Reads records kept in memory, in the order of creation. */
export function usageLog(records: readonly UsageRecord[]): UsageReader {
  return {
    search: async ({ requestId, accountId, endUser, modelId, fromMs, toMs, metadata }, limit, after) => {
      const found = records.toReversed().filter((record) => {
        const pairs = Object.entries(metadata ?? {});
        return (
          (requestId === undefined || record.request_id === requestId) &&
          (accountId === undefined || record.account_id === accountId) &&
          (endUser === undefined || record.end_user === endUser) &&
          (modelId === undefined || record.model_served === modelId) &&
          (fromMs === undefined || record.ended_at_ms >= fromMs) &&
          (toMs === undefined || record.ended_at_ms < toMs) &&
          pairs.every(([key, value]) => record.metadata?.[key] === value)
        );
      });
      const start = found.findIndex(({ request_id }) => request_id === after?.request_id) + 1;
      return found.slice(start, start + limit);
    },
  };
}
