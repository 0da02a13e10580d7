import type { ChannelDialect } from '../catalogue/dialects.ts';
import type { ChannelConfig } from '../config.ts';
import { LiveChannel, type LiveChannelDeps } from './live-channel.ts';

/** A channel as it is configured, with its state for each of its models. */
export interface ChannelStates {
  readonly id: string;
  readonly dialect: ChannelDialect;
  /** The account that it is private to; null for a shared one. */
  readonly accountId: string | null;
  readonly models: readonly LiveChannel[];
}

/** Finds the channels of a model for an account. */
export interface Channels {
  /**
   * The channels that the first of these accounts has for the model that has any of its own, or the shared ones; in the
   * order of the configuration, empty when nobody serves the model.
   */
  serving(modelId: string, accountIds: readonly string[]): readonly LiveChannel[];
  /** All of them, in the order of the configuration. */
  all(): readonly ChannelStates[];
  /** From now on these channels, by their ids, take no new call, and all others do. */
  setDrained(ids: readonly string[]): void;
}

/**
 * Every channel of every model, each with a state of its own. An account with channels of its own for a model uses only
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
