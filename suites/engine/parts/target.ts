import type { Size } from 'gatecheck-reports/report';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { type Medium, neededMedia } from '../../oracle/media/fields.ts';
import { type MediaModel, mediaModel } from '../../oracle/media/models.ts';
import type { Profile } from '../../profile/profile.ts';
import { Untestable } from '../../rules/violation.ts';
import type { Rng } from '../../values/seed.ts';
import { type Fact, fileFact } from '../facts.ts';

/** What is known about the deployment before it is called. */
export interface TargetFacts {
  readonly profile: Profile;
  /** Ids of chat models that are enabled for K1, at least one. */
  readonly models: readonly string[];
  /** The same with those that chat completions do not serve. */
  readonly nativeModels?: readonly string[];
  /** Ids of image, video and audio models that are enabled for K1. */
  readonly mediaModels: readonly string[];
  /** Whether the check is the only user of its tenants' keys while it runs. */
  readonly ownTenant: boolean;
  /** How much of the possible cases the run tries. */
  readonly size: Size;
}

/** The deployment that a check judges. */
export class Target implements TargetFacts {
  readonly profile: Profile;
  /** The chat models that chat completions serve; all of them where there are no chat completions. */
  readonly models: readonly string[];
  readonly nativeModels: readonly string[];
  readonly mediaModels: readonly string[];
  readonly ownTenant: boolean;
  readonly size: Size;
  readonly #rng: Rng;
  #eachModel: readonly string[] | null = null;

  constructor(facts: TargetFacts, rng: Rng) {
    const { profile, models, nativeModels = models, mediaModels, ownTenant, size } = facts;
    this.size = size;
    this.profile = profile;
    this.nativeModels = nativeModels;
    this.models = this.hasChat ? nativeModels.filter(isOnChat) : nativeModels;
    this.mediaModels = mediaModels;
    this.ownTenant = ownTenant;
    this.#rng = rng;
  }

  /** Whether there are chat completions. */
  get hasChat(): boolean {
    return !this.profile.absent.includes('chat');
  }

  /** Draws one of these items by seed. */
  draw<T>(items: readonly T[]): T {
    return this.#rng.pick(items);
  }

  /**
   * The items that a check tries one by one: all of them, or in a smoke run one of each group, drawn by seed.
   * @param groupOf names the group of an item, such as its rule and expected verdict
   */
  few<T>(items: readonly T[], groupOf: (item: T) => string = () => ''): readonly T[] {
    if (this.size !== 'smoke') return items;
    const drawn = [...Map.groupBy(items, groupOf).values()].map((group) => this.#rng.pick(group));
    return items.filter((item) => drawn.includes(item));
  }

  /** The chat models that a check tries one by one; in a smoke run one, drawn by seed. */
  get eachModel(): readonly string[] {
    this.#eachModel ??= this.few(this.models);
    return this.#eachModel;
  }

  /** A chat model drawn by seed, for a check that works with any model. */
  anyModel(): string {
    return this.draw(this.models);
  }

  /** Whether the profile declares enough for the smallest request of a media model: input files and a voice. */
  canFill(id: string): boolean {
    // Only the deployment knows which voices it has.
    if (id === 'voice-v3' && this.profile.media.voice_ids.length === 0) return false;
    return this.missingFile(id) === null;
  }

  /** The fact that must declare an input file for the smallest request of a media model; null when none is missing. */
  missingFile(id: string): Fact | null {
    const medium = neededMedia(id).find((one) => !this.hasFile(one));
    return medium === undefined ? null : fileFact(medium);
  }

  /** Whether the profile declares an input file of a medium. Simulated upstreams fetch none. */
  hasFile(medium: Medium): boolean {
    const { media, upstream } = this.profile;
    const declared = { image: media.image_urls, video: media.video_urls, audio: media.audio_urls };
    return upstream !== undefined || declared[medium].length > 0;
  }

  /**
   * The media models that an endpoint serves.
   * @throws Untestable when there is none.
   */
  enabledOf(endpoint: MediaModel['endpoint']): readonly string[] {
    const served = this.mediaModels.filter((id) => mediaModel(id)?.endpoint === endpoint);
    if (served.length === 0) throw new Untestable(`models.enabled with a model of the ${endpoint} endpoint`);
    return served;
  }

  /**
   * The media models of an endpoint whose requests can be filled from the profile, at least one.
   * @throws Untestable when there is none.
   */
  mediaModelsOf(endpoint: MediaModel['endpoint']): readonly [string, ...string[]] {
    const [first, ...others] = this.enabledOf(endpoint).filter((id) => this.canFill(id));
    if (first === undefined) throw new Untestable('media.image_urls');
    return [first, ...others];
  }
}

function isOnChat(id: string): boolean {
  return chatModel(id)?.absentOn?.includes('chat') !== true;
}
