import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { AccountChange, AccountSpec } from '../../engine/test-accounts.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** What an account can run out of; either is enough for it to be refused (LIM-012). */
export const spendings = ['credits', 'quota'] as const;
export type Spending = (typeof spendings)[number];

/** An account with nothing left of the one, and plenty of the other where it was made for the check. */
export interface SpentAccount {
  readonly keys: readonly [string, ...string[]];
  /** The call that spent it, served; null where it had been spent before. */
  readonly twin: Exchange | null;
  /** Gives it more; null where nobody can. */
  readonly refill: (() => Promise<void>) | null;
}

interface Way {
  readonly spec: AccountSpec;
  readonly refill: AccountChange;
}

/** So little that any call uses it up. */
const ways: Readonly<Record<Spending, Way>> = {
  credits: {
    spec: { credits: '0.0000001', monthly_tokens: 1_000_000_000 },
    refill: { grant: '1000' },
  },
  quota: { spec: { credits: '1000', monthly_tokens: 1 }, refill: { monthly_tokens: 1_000_000_000 } },
};

/** Keys of two users and two apps. */
const manyKeys = [
  { user: 0, app: 0 },
  { user: 0, app: 1 },
  { user: 1, app: 0 },
  { user: 1, app: 1 },
  { user: 0, app: 0 },
];

/** An account that is made and spent by one served call; else the one that the profile knows to be spent. */
export async function spentAccount(
  { target, accounts, http, newScene, judge }: CheckParts,
  spending: Spending,
  requirement: string,
): Promise<SpentAccount> {
  if (target.profile.hooks.accounts === undefined)
    return { keys: [await accounts.spentKey(spending)], twin: null, refill: null };
  const { spec, refill } = ways[spending];
  const shape = { users: [{}, {}], apps: [{}, { markup_bp: 2_500 }], keys: manyKeys };
  const account = await accounts.create({ ...spec, ...shape });
  const model = target.anyModel();
  const twin = await http.chat(newScene().minimal(model), {
    key: account.key,
    label: `the call that spends the ${spending}`,
  });
  judge.completed(twin, { requirement, aspect: 'twin-served', model });
  const [, ...others] = account.keys.map(({ secret }) => secret);
  return { keys: [account.key, ...others], twin, refill: () => account.change(refill) };
}
