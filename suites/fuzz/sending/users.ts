import { callsAtOnce } from '../../profile/calls-at-once.ts';
import type { Profile } from '../../profile/profile.ts';

/** One user of the deployment: the key, and how many calls the fuzzer may have in flight with it. */
export interface SendingUser {
  readonly key: string;
  readonly width: number;
}

/** More accounts than these would only load this machine. */
const mostUsers = 4;

/** The users that a run calls with, each at least one below its cap. */
export function usersOf({
  tenants,
  keys,
  cap,
}: Pick<Profile, 'tenants' | 'keys' | 'cap'>): readonly SendingUser[] {
  const width = callsAtOnce({ cap });
  if (tenants.length === 0) return [{ key: keys.K1, width }];
  return tenants.slice(0, mostUsers).map((tenant) => ({ key: tenant.keys.K1, width }));
}

/** The key of the bystander, whose calls take no slot of the run's users; null if the profile has no such key. */
export function otherKeyOf({ tenants, keys }: Pick<Profile, 'tenants' | 'keys'>): string | null {
  return tenants[mostUsers]?.keys.K1 ?? keys.K3 ?? keys.K4 ?? null;
}
