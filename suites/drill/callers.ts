import { TestAccounts } from '../engine/test-accounts.ts';
import type { Keys, Profile } from '../profile/profile.ts';

/** More calls at once than a drill has. */
const plenty = 1_000;

/** Who calls: keys of several users, of which each time the one with most room is taken. */
export class Callers {
  readonly #users: { readonly key: string; readonly cap: number; inFlight: number }[];

  constructor(users: readonly { readonly key: string; readonly cap: number }[]) {
    this.#users = users.map((user) => ({ ...user, inFlight: 0 }));
  }

  /** A caller for one call; `leave` ends it. */
  enter(): { readonly key: string; leave(): void } {
    const [first, ...others] = this.#users;
    if (first === undefined) throw new Error('a drill has at least one caller');
    const room = ({ cap, inFlight }: { cap: number; inFlight: number }): number => cap - inFlight;
    const user = others.reduce((best, other) => (room(other) > room(best) ? other : best), first);
    user.inFlight += 1;
    return {
      key: user.key,
      leave: () => {
        user.inFlight -= 1;
      },
    };
  }
}

/** One test account with a very high cap, if the deployment can create accounts; else the users of the profile's keys. */
export async function callersOf(profile: Profile, keys: Keys, signal: AbortSignal): Promise<Callers> {
  if (profile.hooks.accounts !== undefined) {
    const accounts = new TestAccounts({ profile, mainKey: keys.K1, signal, onKey: () => undefined });
    const { key } = await accounts.create({ users: [{ cap: plenty }], keys: [{}], credits: '1000' });
    return new Callers([{ key, cap: plenty }]);
  }
  const { value, raised = value } = profile.cap;
  const declared = [
    { key: keys.K1, cap: value },
    { key: keys.K4, cap: value },
    { key: keys.raised, cap: raised },
  ];
  return new Callers(declared.flatMap(({ key, cap }) => (key === undefined ? [] : [{ key, cap }])));
}
