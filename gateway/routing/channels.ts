import type { ChannelDialect } from '../catalogue/dialects.ts';
import type { ChannelConfig } from '../config.ts';
import { LiveChannel, type LiveChannelDeps } from './live-channel.ts';

/** A configured channel with its state for each of its models. */
export interface ChannelStates {
  readonly id: string;
  readonly dialect: ChannelDialect;
  /** The account that alone may use the channel; null for a shared one. */
  readonly accountId: string | null;
  readonly models: readonly LiveChannel[];
}

/** Finds the channels of a model for an account. */
export interface Channels {
  /**
   * The private channels of the first of these accounts that has any for the model; otherwise the shared ones. In
   * configuration order; empty when no channel serves the model.
   */
  serving(modelId: string, accountIds: readonly string[]): readonly LiveChannel[];
  /** All channels, in configuration order. */
  all(): readonly ChannelStates[];
  /** Drains exactly the channels with these ids: they take no new call, and all others do. */
  setDrained(ids: readonly string[]): void;
}

/**
 * All channels of all models, each with its own state. An account with private channels for a model uses only
 * those: its traffic never spills over to the shared ones.
 */
export function createChannels(rows: readonly ChannelConfig[], deps: LiveChannelDeps): Channels {
  const channels = new Map<string, LiveChannel[]>();
  const all: ChannelStates[] = [];
  for (const row of rows) {
    const models: LiveChannel[] = [];
    all.push({ id: row.id, dialect: row.dialect, accountId: row.account ?? null, models });
    const { id, dialect, base_url: baseUrl, api_key: apiKey, takes_stop: takesStop } = row;
    const rank = { priority: row.priority, weight: row.weight };
    const room = {
      capacity: row.capacity ?? null,
      queueLength: row.queue_length,
      queueWaitMs: row.queue_wait_ms,
    };
    for (const [modelId, nativeModel] of Object.entries(row.models)) {
      const key = keyOf(modelId, row.account ?? null);
      const channel = { id, dialect, baseUrl, apiKey, nativeModel, takesStop, takesCallbacks: row.callbacks };
      const live = new LiveChannel({ channel, modelId, ...rank, room }, deps);
      channels.set(key, [...(channels.get(key) ?? []), live]);
      models.push(live);
    }
  }
  return {
    serving: (modelId, accountIds) => {
      const owner = accountIds.find((accountId) => channels.has(keyOf(modelId, accountId))) ?? null;
      return channels.get(keyOf(modelId, owner)) ?? [];
    },
    all: () => all,
    setDrained: (ids) => {
      const drained = new Set(ids);
      for (const { id, models } of all) for (const live of models) live.setDrained(drained.has(id));
    },
  };
}

function keyOf(modelId: string, accountId: string | null): string {
  return JSON.stringify([modelId, accountId]);
}
