import type { Profile } from './profile.ts';

/**
 * How many calls of one user are in flight at most, where the cap itself is not judged: one below it, since a call that has
 * ended may still be counted.
 */
export function callsAtOnce({ cap }: Pick<Profile, 'cap'>): number {
  return Math.max(1, cap.value - 1);
}

/** How many processes of a deployment take calls in turns: each has room and probes of its own (reading B-129). */
export function processesOf({ upstream }: Pick<Profile, 'upstream'>): number {
  return upstream?.processes ?? 1;
}
