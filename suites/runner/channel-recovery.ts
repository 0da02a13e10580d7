import type { TouchedModel } from '../engine/upstream-trouble.ts';
import type { WireClient } from '../wire/client.ts';
import type { TenantHealth } from './tenant-pool.ts';

/** A model that a check has left degraded for one tenant, and a client for calls through its gateway. */
export interface DegradedModel extends TouchedModel {
  readonly tenant: string;
  readonly client: WireClient;
}

/** Ways in which degraded models of one gateway recover. */
export interface Recoveries {
  /** Recovers degraded models as far as possible, and never rejects. It calls `take` once it holds the clock of the stack. */
  readonly all: (take: () => readonly DegradedModel[]) => Promise<void>;
  /**
   * Probes models whose failures should be forgotten by now, while other checks run.
   * @returns the models that still do not serve
   */
  readonly forgotten: (degraded: readonly DegradedModel[]) => Promise<readonly DegradedModel[]>;
  /** How long the failures of a model count if it serves again, ms. */
  readonly forgottenMs: (model: string) => number;
  /** How long to wait before a model that did not serve is tried again, ms. */
  readonly againMs: number;
  /** The deployment's time, ms. */
  readonly now: () => number;
}

interface DegradedTenant {
  readonly models: Map<string, DegradedModel>;
  /** When the failures of its models are forgotten, ms. */
  dueMs: number;
}

/**
 * The tenants of one gateway that failures of a check have degraded: a breaker may be open or about to open. When a check
 * needs one, the tenants whose failures are forgotten recover. If there are none, all recover together.
 */
export class ChannelRecovery implements TenantHealth {
  readonly #degraded = new Map<string, DegradedTenant>();
  readonly #recoveries: Recoveries;
  #recovering: Promise<void> | null = null;

  constructor(recoveries: Recoveries) {
    this.#recoveries = recoveries;
  }

  isHealthy(tenant: string): boolean {
    return !this.#degraded.has(tenant);
  }

  add(tenant: string, models: readonly TouchedModel[], client: WireClient): void {
    const { forgottenMs, now } = this.#recoveries;
    for (const { key, model } of models)
      this.#keep({ tenant, key, model, client }, now() + forgottenMs(model));
  }

  /** Makes some of the free tenants healthy, if that is possible. */
  recover(): Promise<void> {
    this.#recovering ??= this.#recoverSome().finally(() => {
      this.#recovering = null;
    });
    return this.#recovering;
  }

  /** Recovers all tenants. */
  async recoverAll(): Promise<void> {
    await this.#recovering;
    await this.#recoveries.all(() => this.#takeAll());
  }

  async #recoverSome(): Promise<void> {
    const { forgotten, all, againMs, now } = this.#recoveries;
    const due = [...this.#degraded].filter(([, { dueMs }]) => dueMs <= now());
    if (due.length === 0) return all(() => this.#takeAll());
    const models = due.flatMap(([, tenant]) => [...tenant.models.values()]);
    const ill = await forgotten(models).catch(() => models);
    for (const [tenant] of due) this.#degraded.delete(tenant);
    for (const model of ill) this.#keep(model, now() + againMs);
  }

  #keep(degraded: DegradedModel, dueMs: number): void {
    const { tenant, key, model } = degraded;
    const known = this.#degraded.get(tenant) ?? { models: new Map(), dueMs };
    known.models.set(JSON.stringify([key, model]), degraded);
    known.dueMs = Math.max(known.dueMs, dueMs);
    this.#degraded.set(tenant, known);
  }

  #takeAll(): readonly DegradedModel[] {
    const degraded = [...this.#degraded.values()].flatMap(({ models }) => [...models.values()]);
    this.#degraded.clear();
    return degraded;
  }
}
