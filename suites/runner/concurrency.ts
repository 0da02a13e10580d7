import type { Profile } from '../profile/profile.ts';

/** Checks that run side by side: enough to keep two cores busy, few enough that time limits still mean something. */
const most = 8;

/** How many checks of a run go at once: as many as have a tenant of their own. */
export function concurrencyOf({ lanes }: Pick<Profile, 'lanes'>): number {
  return Math.min(most, Math.max(1, lanes.length));
}
