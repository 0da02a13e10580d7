import type { DialectName } from '../catalogue/dialects.ts';
import type { ChannelConfig } from '../config.ts';

/** A way to an upstream that serves a model. */
export interface Channel {
  /** Public id: what `error.channel` shows. */
  readonly id: string;
  readonly dialect: DialectName;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Native name of the model asked for. */
  readonly nativeModel: string;
}

/** Finds the channels of a model for an account. */
export interface Channels {
  /** In order of preference; empty when nobody serves the model. */
  serving(modelId: string, accountId: string): readonly Channel[];
}

/**
 * Channels in the order of the configuration. An account with channels of its own for a model uses only those:
 * its traffic never spills over to the shared ones.
 */
export function createChannels(rows: readonly ChannelConfig[]): Channels {
  const channels = new Map<string, Channel[]>();
  for (const { id, account, dialect, base_url: baseUrl, api_key: apiKey, models } of rows) {
    for (const [modelId, nativeModel] of Object.entries(models)) {
      const key = keyOf(modelId, account ?? null);
      channels.set(key, [...(channels.get(key) ?? []), { id, dialect, baseUrl, apiKey, nativeModel }]);
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
