import { callsAtOnce } from '../profile/calls-at-once.ts';
import type { Profile } from '../profile/profile.ts';

/** The number of checks that keep two cores busy when answers are immediate. More would only delay each of them. */
export const leastBusy = 8;

/** The latency at which twice as many checks are useful, because they wait, ms. */
const doubledByMs = 50;

/** The most checks at once; more would themselves slow the run. */
const mostBusy = 48;

/**
 * The most checks of a run at once: one for each tenant, and no more than are useful at the measured latency. Without
 * tenants, the calls that one user may have in flight limit it.
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

/** The least number of checks that move a clock at once, even when answers are immediate. */
const leastMoving = 2;

/**
 * How many of the checks that move a clock work at once. They judge times, which other checks must not stretch. With
 * immediate answers each check keeps a processor busy; with slow answers most checks only wait.
 * @param width the most checks of the other kind at once
 */
export function movingAtOnce(width: number): number {
  return leastMoving + Math.max(0, Math.round(((width - leastBusy) * 5) / 8));
}

/** The same while the processors are busy: a third, but at least the minimum. */
export function movingWhenCrowded(width: number): number {
  return Math.max(leastMoving, Math.round(movingAtOnce(width) / 3));
}

/**
 * How many checks may share the single account of a deployment without tenants. Each has at least one call in flight. It is 1
 * when checks can see the account's other traffic, or script its upstreams.
 */
export function seatsOf({ cap, hooks, upstream }: Pick<Profile, 'cap' | 'hooks' | 'upstream'>): number {
  const isSeen = upstream !== undefined || Object.values(hooks).some((hook) => hook !== undefined);
  return isSeen ? 1 : Math.min(leastBusy, callsAtOnce({ cap }));
}
