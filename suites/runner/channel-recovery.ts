import type { TouchedModel } from '../engine/upstream-trouble.ts';
import type { WireClient } from '../wire/client.ts';
import type { TenantHealth } from './tenant-pool.ts';

/** A model that a check has worn out in one lane, and a way to reach the gateway where it did. */
export interface DegradedModel extends TouchedModel {
  readonly tenant: string;
  readonly client: WireClient;
}

/** Makes worn models fit again, as far as it can, and does not reject. It takes them when it has the stack for itself. */
export type RecoverChannels = (take: () => readonly DegradedModel[]) => Promise<void>;

/**
 * The lanes that are not fit for use on one gateway, because a check has left failures behind in them: a breaker may
 * be open there, or about to open. They recover together, once a check needs one of them.
 */
export class ChannelRecovery implements TenantHealth {
  readonly #degraded = new Map<string, Map<string, DegradedModel>>();
  readonly #recoverChannels: RecoverChannels;
  #recovering: Promise<void> | null = null;

  constructor(recoverChannels: RecoverChannels) {
    this.#recoverChannels = recoverChannels;
  }

  isHealthy(tenant: string): boolean {
    return !this.#degraded.has(tenant);
  }

  add(tenant: string, models: readonly TouchedModel[], client: WireClient): void {
    if (models.length === 0) return;
    const known = this.#degraded.get(tenant) ?? new Map<string, DegradedModel>();
    for (const { key, model } of models)
      known.set(JSON.stringify([key, model]), { tenant, key, model, client });
    this.#degraded.set(tenant, known);
  }

  recover(): Promise<void> {
    this.#recovering ??= this.#recoverChannels(() => this.#take()).finally(() => {
      this.#recovering = null;
    });
    return this.#recovering;
  }

  #take(): readonly DegradedModel[] {
    const degraded = [...this.#degraded.values()].flatMap((models) => [...models.values()]);
    this.#degraded.clear();
    return degraded;
  }
}
