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
  /** The channels of this id. */
  named(id: string): readonly ChannelStates[];
  /** Drains exactly the channels with these ids and restores all others. A drained channel accepts no new call. */
  setDrained(ids: readonly string[]): void;
}

/**
 * All channels of all models, each with its own state. An account with private channels for a model uses only
 * those: its traffic never spills over to the shared ones.
 */
export function createChannels(rows: readonly ChannelConfig[], deps: LiveChannelDeps): Channels {
  const all = rows.map((row) => new OwnStates(row, deps));
  const byId = Map.groupBy(all, ({ id }) => id);
  /** By account (null: shared), then by model. */
  const served = new Map<string | null, Map<string, Serving>>();
  for (const channel of all) {
    const ofAccount = served.get(channel.accountId) ?? new Map<string, Serving>();
    served.set(channel.accountId, ofAccount);
    for (const modelId of channel.modelIds) {
      const known = ofAccount.get(modelId);
      if (known === undefined) ofAccount.set(modelId, { channels: [channel], live: null });
      else known.channels.push(channel);
    }
  }
  return {
    serving: (modelId, accountIds) => {
      for (const accountId of [...accountIds, null]) {
        const found = served.get(accountId)?.get(modelId);
        if (found === undefined) continue;
        found.live ??= found.channels.map((one) => one.liveOf(modelId));
        return found.live;
      }
      return [];
    },
    all: () => all,
    named: (id) => byId.get(id) ?? [],
    setDrained: (ids) => {
      const drained = new Set(ids);
      for (const channel of all) channel.setDrained(drained.has(channel.id));
    },
  };
}

/** The channels of a model; their state is created on first use. */
interface Serving {
  readonly channels: OwnStates[];
  live: readonly LiveChannel[] | null;
}

/** A channel. Its state for a model is created on first use, because there may be thousands of channels and few are used. */
class OwnStates implements ChannelStates {
  readonly #row: ChannelConfig;
  readonly #deps: LiveChannelDeps;
  readonly #live = new Map<string, LiveChannel>();
  #isDrained = false;

  constructor(row: ChannelConfig, deps: LiveChannelDeps) {
    this.#row = row;
    this.#deps = deps;
  }

  get id(): string {
    return this.#row.id;
  }

  get dialect(): ChannelDialect {
    return this.#row.dialect;
  }

  get accountId(): string | null {
    return this.#row.account ?? null;
  }

  get modelIds(): readonly string[] {
    return Object.keys(this.#row.models);
  }

  get models(): readonly LiveChannel[] {
    return this.modelIds.map((modelId) => this.liveOf(modelId));
  }

  liveOf(modelId: string): LiveChannel {
    const known = this.#live.get(modelId);
    if (known !== undefined) return known;
    const live = this.#create(modelId);
    if (this.#isDrained) live.setDrained(true);
    this.#live.set(modelId, live);
    return live;
  }

  setDrained(isDrained: boolean): void {
    this.#isDrained = isDrained;
    for (const live of this.#live.values()) live.setDrained(isDrained);
  }

  #create(modelId: string): LiveChannel {
    const { id, dialect, base_url: baseUrl, api_key: apiKey, takes_stop: takesStop, ...row } = this.#row;
    const nativeModel = row.models[modelId] ?? modelId;
    const channel = {
      ...{ id, dialect, baseUrl, apiKey, nativeModel, takesStop },
      takesCallbacks: row.callbacks,
      outputTokens: row.output_tokens ?? null,
    };
    const room = {
      capacity: row.capacity ?? null,
      queueLength: row.queue_length,
      queueWaitMs: row.queue_wait_ms,
    };
    const { priority, weight } = row;
    const isShared = this.accountId === null;
    return new LiveChannel({ channel, modelId, isShared, priority, weight, room }, this.#deps);
  }
}
