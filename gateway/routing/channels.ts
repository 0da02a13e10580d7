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
  /** The upstream's models take stop sequences; for others we halt ourselves. */
  readonly takesStop: boolean;
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
  for (const row of rows) {
    const { id, dialect, base_url: baseUrl, api_key: apiKey, takes_stop: takesStop } = row;
    for (const [modelId, nativeModel] of Object.entries(row.models)) {
      const key = keyOf(modelId, row.account ?? null);
      const channel = { id, dialect, baseUrl, apiKey, nativeModel, takesStop };
      channels.set(key, [...(channels.get(key) ?? []), channel]);
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
