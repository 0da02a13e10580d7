import { type Random, randomOf, seededRandom, unitOf } from '../random.ts';

/** Everything that determines the draws of one request. */
export interface DrawSeed {
  /** The seed of the process, or that of the scenario. */
  readonly seed: number;
  /** The tenant's scenario; null without one. */
  readonly scenario: string | null;
  readonly tenant: string;
  /** Channel and native path. */
  readonly route: string;
  /** The number of the model call on its route in the tenant, from 1; a reset restarts it at 1. */
  readonly nth: number;
}

/** How many values of one request the journal shows; more than any reply draws. */
const maxShown = 64;

/** The seeded draws of one request. All draws are made here, and each purpose has its own stream. */
export class Draws {
  readonly of: DrawSeed;
  #drawn: Record<string, number> | null = null;

  constructor(of: DrawSeed) {
    this.of = of;
  }

  /** The same purpose gives the same stream. */
  random(purpose: string): Random {
    const { seed, scenario, tenant, route, nth } = this.of;
    return seededRandom('draws', seed, scenario, tenant, route, nth, purpose);
  }

  /** The same stream, but the journal shows every number drawn from it. */
  shown(purpose: string): Random {
    const random = this.random(purpose);
    let taken = 0;
    const below = (limit: number): number => {
      const value = random.below(limit);
      this.show(`${purpose}-${taken}`, value);
      taken += 1;
      return value;
    };
    return randomOf(below);
  }

  /** A number from 0 (included) to 1 (excluded), which the journal shows. */
  unit(purpose: string): number {
    const value = unitOf(this.random(purpose));
    this.show(purpose, value);
    return value;
  }

  /** Adds a drawn value to the journal. */
  show(name: string, value: number): void {
    this.#drawn ??= {};
    if (Object.keys(this.#drawn).length < maxShown) this.#drawn[name] = value;
  }

  /** Name to value, for the journal. */
  get drawn(): Readonly<Record<string, number>> {
    return this.#drawn ?? {};
  }
}

/** Channel and path. A model in the path is left out, so that every dialect has one route for its calls. */
export function routeOf(channel: string, path: string): string {
  return `${channel} ${path.includes('/models/') ? path.replace(/\/models\/[^/:]+/, '/models/*') : path}`;
}
