import type { Profile } from '../profile/profile.ts';

/** A deployment that can be judged. */
export interface ReachedTarget {
  readonly profile: Profile;
  readonly stop: () => Promise<void>;
  readonly gatewayPid?: number;
  /** What its containers wrote, where the run started them: so many last lines of each. */
  readonly lastWords?: (lines: number) => Promise<string[]>;
}
