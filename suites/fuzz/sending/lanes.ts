import { callsAtOnce } from '../../profile/calls-at-once.ts';
import type { Profile } from '../../profile/profile.ts';

/** One user of the deployment: his key, and how many calls the fuzzer may have in flight with it. */
export interface Lane {
  readonly key: string;
  readonly width: number;
}

/** More accounts than these would only keep this machine busy. */
const mostLanes = 4;

/** The users with whom a run calls: each stays at least one below his cap. */
export function lanesOf({ lanes, keys, cap }: Pick<Profile, 'lanes' | 'keys' | 'cap'>): readonly Lane[] {
  const width = callsAtOnce({ cap });
  if (lanes.length === 0) return [{ key: keys.K1, width }];
  return lanes.slice(0, mostLanes).map((lane) => ({ key: lane.keys.K1, width }));
}

/** Somebody else, whose calls take no slot of those users; null where the profile has nobody. */
export function otherKeyOf({ lanes, keys }: Pick<Profile, 'lanes' | 'keys'>): string | null {
  return lanes[mostLanes]?.keys.K1 ?? keys.K3 ?? keys.K4 ?? null;
}
