import type { TouchedModel } from '../engine/upstream-trouble.ts';
import type { WireClient } from '../wire/client.ts';
import type { Fitness } from './lane-pool.ts';

/** A model that a check has worn out in one lane, and a way to reach the gateway where it did. */
export interface WornModel extends TouchedModel {
  readonly lane: string;
  readonly client: WireClient;
}

/** Makes worn models fit again, as far as it can, and does not reject. It takes them when it has the stack for itself. */
export type Cure = (take: () => readonly WornModel[]) => Promise<void>;

/**
 * The lanes that are not fit for use on one gateway, because a check has left failures behind in them: a breaker may
 * be open there, or about to open. They recover together, once a check needs one of them.
 */
export class Quarantine implements Fitness {
  readonly #worn = new Map<string, Map<string, WornModel>>();
  readonly #cure: Cure;
  #curing: Promise<void> | null = null;

  constructor(cure: Cure) {
    this.#cure = cure;
  }

  isFit(lane: string): boolean {
    return !this.#worn.has(lane);
  }

  add(lane: string, models: readonly TouchedModel[], client: WireClient): void {
    if (models.length === 0) return;
    const known = this.#worn.get(lane) ?? new Map<string, WornModel>();
    for (const { key, model } of models)
      known.set(JSON.stringify([key, model]), { lane, key, model, client });
    this.#worn.set(lane, known);
  }

  recover(): Promise<void> {
    this.#curing ??= this.#cure(() => this.#take()).finally(() => {
      this.#curing = null;
    });
    return this.#curing;
  }

  #take(): readonly WornModel[] {
    const worn = [...this.#worn.values()].flatMap((models) => [...models.values()]);
    this.#worn.clear();
    return worn;
  }
}
