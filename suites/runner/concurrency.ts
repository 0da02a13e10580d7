import { callsAtOnce } from '../profile/calls-at-once.ts';
import type { Profile } from '../profile/profile.ts';

/** Checks that keep two cores busy where answers come at once: more would only make each of them later. */
export const leastBusy = 8;

/** With answers this much later twice as many checks wait, ms. */
const doubledByMs = 50;

/** Checks beyond these would themselves be what is slow. */
const mostBusy = 48;

/**
 * How many checks of a run go at once, at most: as many as have a tenant of their own, and no more than is of use with the latency
 * that was measured. Without tenants, as many as one user may have calls in flight; what a check needs for itself, the
 * pool of tenants gives it.
 */
export function concurrencyOf(
  profile: Pick<Profile, 'tenants' | 'cap' | 'hooks' | 'upstream'>,
  latencyMs = 0,
): number {
  const { tenants } = profile;
  if (tenants.length === 0) return seatsOf(profile);
  const useful = Math.round(leastBusy * (1 + latencyMs / doubledByMs));
  return Math.min(useful, mostBusy, tenants.length);
}

/** Of the checks that move a clock, so many work at once where answers come at once, and in any case. */
const leastMoving = 2;

/**
 * How many of the checks that move a clock together work at once, of all that do. They judge by times that others must not
 * make long: where answers come at once each of them keeps a processor busy, where answers take time most only wait.
 * @param width how many checks of the other kind go at once, at most
 */
export function movingAtOnce(width: number): number {
  return leastMoving + Math.max(0, Math.round(((width - leastBusy) * 5) / 8));
}

/** The same while the processors have no time left: fewer, but where answers take time not as few as where they come at once. */
export function movingWhenCrowded(width: number): number {
  return Math.max(leastMoving, Math.round(movingAtOnce(width) / 3));
}

/**
 * How many checks may share the one account of a deployment without tenants: each has at least one call in flight. Where
 * checks can see what others do with the account, or script its upstreams, it is one.
 */
export function seatsOf({ cap, hooks, upstream }: Pick<Profile, 'cap' | 'hooks' | 'upstream'>): number {
  const isSeen = upstream !== undefined || Object.values(hooks).some((hook) => hook !== undefined);
  return isSeen ? 1 : Math.min(leastBusy, callsAtOnce({ cap }));
}
