import type { Profile } from '../profile/profile.ts';
import type { WireClient } from '../wire/client.ts';
import type { StackClock } from './clock-control.ts';
import type { LaneParts } from './kit-lane.ts';
import type { ReachedReceiver } from './kit-webhooks.ts';

/** What the engine hands to the kit of one check. */
export interface KitParts {
  readonly checkId: string;
  readonly seed: number;
  readonly size: 'quick' | 'full';
  /** fast-check path to replay, when the user gave one. */
  readonly path: string | null;
  readonly profile: Profile;
  /** At least one; most checks use only the first. */
  readonly lanes: readonly [LaneParts, ...LaneParts[]];
  /** The lanes are accounts of their own: nothing else uses their keys while the check runs. */
  readonly ownLane: boolean;
  readonly models: readonly string[];
  /** Ids of models that make pictures, video or sound which are enabled for K1. */
  readonly mediaModels: readonly string[];
  readonly client: WireClient;
  readonly signal: AbortSignal;
  readonly clock: StackClock | null;
  /** Where the deployment can send events; null where it cannot. */
  readonly receiver: ReachedReceiver | null;
  readonly spend: () => void;
}
