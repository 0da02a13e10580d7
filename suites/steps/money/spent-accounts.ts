import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { AccountChange, AccountSpec } from '../../engine/test-accounts.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** The two limits that an account can exhaust. Either is enough for a refusal (LIM-012). */
export const spendings = ['credits', 'quota'] as const;
export type Spending = (typeof spendings)[number];

/** An account that has used up one of the two. If it was made for the check, it has plenty of the other. */
export interface SpentAccount {
  readonly keys: readonly [string, ...string[]];
  /** The served call that used up the rest; null when the account was exhausted before. */
  readonly twin: Exchange | null;
  /** Adds credits or quota; null where that is impossible. */
  readonly refill: (() => Promise<void>) | null;
}

interface Way {
  readonly spec: AccountSpec;
  readonly refill: AccountChange;
}

/** Amounts so small that any call uses them up. */
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

/**
 * An account that one served call has spent. Where none can be made, the account that the profile declares as
 * spent.
 */
export async function spentAccount(
  { target, accounts, http, newScene, judge, meter }: CheckParts,
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
  await meter.settle();
  const [, ...others] = account.keys.map(({ secret }) => secret);
  return { keys: [account.key, ...others], twin, refill: () => account.change(refill) };
}
