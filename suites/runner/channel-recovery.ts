import type { TouchedModel } from '../engine/upstream-trouble.ts';
import type { WireClient } from '../wire/client.ts';
import type { TenantHealth } from './tenant-pool.ts';

/** A model that a check has left degraded for one tenant, and a way to call it through the gateway concerned. */
export interface DegradedModel extends TouchedModel {
  readonly tenant: string;
  readonly client: WireClient;
}

/**
 * Recovers degraded models as far as possible, and never rejects. It calls `take` once it has the stack to itself.
 */
export type RecoverChannels = (take: () => readonly DegradedModel[]) => Promise<void>;

/**
 * The tenants of one gateway that are degraded because a check caused failures there: a breaker may be open or
 * about to open. They all recover together, as soon as a check needs one of them.
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
