import type { Profile } from './profile.ts';

/**
 * The most calls of one user in flight, where the cap itself is not judged. It is one below the cap, since a call that has
 * ended may still be counted.
 */
export function callsAtOnce({ cap }: Pick<Profile, 'cap'>): number {
  return Math.max(1, cap.value - 1);
}

/** How many processes of a deployment take calls in turn, each with its own slots and probes (reading B-129). */
export function processesOf({ upstream }: Pick<Profile, 'upstream'>): number {
  return upstream?.processes ?? 1;
}

/** How many calls of a deployment may probe a channel at once, after the cool-down of its breaker (reading B-108). */
export function probesOf(profile: Pick<Profile, 'upstream'>): number {
  return processesOf(profile) * (profile.upstream?.breaker?.probes ?? 1);
}
