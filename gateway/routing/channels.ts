import type { ChannelConfig } from '../config.ts';
import { LiveChannel, type LiveParts } from './live-channel.ts';

/** Finds the channels of a model for an account. */
export interface Channels {
  /** In the order of the configuration; empty when nobody serves the model. */
  serving(modelId: string, accountId: string): readonly LiveChannel[];
}

/**
 * Every channel of every model, each with a state of its own. An account with channels of its own for a model uses only
 * those: its traffic never spills over to the shared ones.
 */
export function createChannels(rows: readonly ChannelConfig[], parts: LiveParts): Channels {
  const channels = new Map<string, LiveChannel[]>();
  for (const row of rows) {
    const { id, dialect, base_url: baseUrl, api_key: apiKey, takes_stop: takesStop } = row;
    const rank = { priority: row.priority, weight: row.weight };
    const room = {
      capacity: row.capacity ?? null,
      queueLength: row.queue_length,
      queueWaitMs: row.queue_wait_ms,
    };
    for (const [modelId, nativeModel] of Object.entries(row.models)) {
      const key = keyOf(modelId, row.account ?? null);
      const channel = { id, dialect, baseUrl, apiKey, nativeModel, takesStop };
      const live = new LiveChannel({ channel, modelId, ...rank, room }, parts);
      channels.set(key, [...(channels.get(key) ?? []), live]);
    }
  }
  return {
    serving: (modelId, accountId) =>
      channels.get(keyOf(modelId, accountId)) ?? channels.get(keyOf(modelId, null)) ?? [],
  };
}

function keyOf(modelId: string, accountId: string | null): string {
  return JSON.stringify([modelId, accountId]);
}
