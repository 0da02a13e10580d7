import type { TouchedModel } from '../engine/upstream-trouble.ts';
import type { WireClient } from '../wire/client.ts';
import type { TenantHealth } from './tenant-pool.ts';

/** A model that a check has left degraded for one tenant, and a way to call it through the gateway concerned. */
export interface DegradedModel extends TouchedModel {
  readonly tenant: string;
  readonly client: WireClient;
}

/** How degraded models of one gateway recover. */
export interface Recoveries {
  /**
   * Recovers degraded models as far as possible, and never rejects. It calls `take` once it has the stack to itself.
   */
  readonly all: (take: () => readonly DegradedModel[]) => Promise<void>;
  /**
   * Sees whether models serve again whose failures are forgotten by now, beside checks that run.
   * @returns those that do not
   */
  readonly forgotten: (degraded: readonly DegradedModel[]) => Promise<readonly DegradedModel[]>;
  /** After this time the failures of a model are forgotten if it serves again, ms. */
  readonly forgottenMs: (model: string) => number;
  /** After this time a model that did not serve is tried again, ms. */
  readonly againMs: number;
  /** The time of the deployment, ms. */
  readonly now: () => number;
}

interface DegradedTenant {
  readonly models: Map<string, DegradedModel>;
  /** When its failures are forgotten. */
  dueMs: number;
}

/**
 * The tenants of one gateway that are degraded because a check caused failures there: a breaker may be open or about to
 * open. As soon as a check needs one of them, those recover whose failures are forgotten; if there is none, all together.
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

  /** Afterwards some of the free tenants are healthy, unless none can be. */
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
