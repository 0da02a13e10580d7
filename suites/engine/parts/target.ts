import { type MediaModel, mediaModel } from '../../oracle/media/models.ts';
import type { Profile } from '../../profile/profile.ts';
import { Untestable } from '../../rules/violation.ts';
import type { Rng } from '../../seed.ts';

/** What is known of the deployment before it is called. */
export interface TargetFacts {
  readonly profile: Profile;
  /** Ids of chat models that are enabled for K1, at least one. */
  readonly models: readonly string[];
  /** Ids of models that make pictures, video or sound which are enabled for K1. */
  readonly mediaModels: readonly string[];
  /** Whether nothing else uses the keys of the check's lanes while it runs. */
  readonly ownTenant: boolean;
}

/** The deployment that a check judges. */
export class Target implements TargetFacts {
  readonly profile: Profile;
  readonly models: readonly string[];
  readonly mediaModels: readonly string[];
  readonly ownTenant: boolean;
  readonly #rng: Rng;

  constructor({ profile, models, mediaModels, ownTenant }: TargetFacts, rng: Rng) {
    this.profile = profile;
    this.models = models;
    this.mediaModels = mediaModels;
    this.ownTenant = ownTenant;
    this.#rng = rng;
  }

  /** One of these, drawn by seed. */
  draw<T>(items: readonly T[]): T {
    return this.#rng.pick(items);
  }

  /** The one chat model on which a check runs when any would do: drawn by seed. */
  anyModel(): string {
    return this.draw(this.models);
  }

  /** Media models that an endpoint serves, at least one. @throws Untestable when there is none. */
  mediaModelsOf(endpoint: MediaModel['endpoint']): readonly [string, ...string[]] {
    const [first, ...others] = this.mediaModels.filter((id) => mediaModel(id)?.endpoint === endpoint);
    if (first === undefined) throw new Untestable(`models.enabled with a model of the ${endpoint} endpoint`);
    return [first, ...others];
  }
}
