import type { Profile } from '../profile/profile.ts';

/** A deployment that can be judged. */
export interface ReachedTarget {
  readonly profile: Profile;
  readonly stop: () => Promise<void>;
  readonly gatewayPid?: number;
  /** The output of a deployment that the run started: the given number of last lines of each container, or of its process. */
  readonly lastWords?: (lines: number) => Promise<string[]>;
}
