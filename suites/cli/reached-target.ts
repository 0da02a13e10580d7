import type { Profile } from '../profile/profile.ts';

/** A deployment that can be judged. */
export interface ReachedTarget {
  readonly profile: Profile;
  readonly stop: () => Promise<void>;
  readonly gatewayPid?: number;
  /** What it wrote, where the run started it: so many last lines of each container, or of its process. */
  readonly lastWords?: (lines: number) => Promise<string[]>;
}
