import { type Random, randomOf, seededRandom, unitOf } from '../random.ts';

/** What decides on the draws of one request, and nothing else does. */
export interface DrawSeed {
  /** The seed of the process, or that of the scenario. */
  readonly seed: number;
  /** The scenario that the tenant follows; null without one. */
  readonly scenario: string | null;
  readonly tenant: string;
  /** Channel and native path. */
  readonly route: string;
  /** Counts the model calls of the route in its tenant from 1, and again from 1 after a reset. */
  readonly nth: number;
}

/** Values of one request that are shown; more than any reply draws. */
const maxShown = 64;

/** The seeded draws of one request: the one place where they are made. Each purpose has a stream of its own. */
export class Draws {
  readonly of: DrawSeed;
  readonly #drawn: Record<string, number> = {};

  constructor(of: DrawSeed) {
    this.of = of;
  }

  /** The same purpose gives the same stream. */
  random(purpose: string): Random {
    const { seed, scenario, tenant, route, nth } = this.of;
    return seededRandom('draws', seed, scenario, tenant, route, nth, purpose);
  }

  /** The same stream; the journal shows every number that is taken from it. */
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

  /** A number from 0 up to 1, without 1, which the journal shows. */
  unit(purpose: string): number {
    const value = unitOf(this.random(purpose));
    this.show(purpose, value);
    return value;
  }

  /** Shows in the journal what was drawn. */
  show(name: string, value: number): void {
    if (Object.keys(this.#drawn).length < maxShown) this.#drawn[name] = value;
  }

  /** Name to value, for the journal. */
  get drawn(): Readonly<Record<string, number>> {
    return this.#drawn;
  }
}

/** Channel and path; a model in the path is left out, so that every dialect has one route for its calls. */
export function routeOf(channel: string, path: string): string {
  return `${channel} ${path.replace(/\/models\/[^/:]+/, '/models/*')}`;
}
