import type { TestKey } from '../../engine/test-accounts.ts';
import type { Keys } from '../../profile/profile.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Keys of other accounts. */
const elsewhere: readonly string[] = ['K3', 'no_model', 'no_credits', 'no_quota', 'fuse'];

/**
 * The key of the account that paid for an exchange; null when its markup is not declared, undefined when no known account
 * pays.
 */
export type Payer = 'K1' | 'K5' | TestKey | null | undefined;

/** Finds the payer by the key that the request shows, in a header or in its query. */
export function payerOf(
  { request: { headers, url } }: Exchange,
  keys: Keys,
  madeKey: (secret: string) => TestKey | undefined,
): Payer {
  const shown = [
    ...headers.map(([, value]) => value.replace(/^Bearer /i, '')),
    URL.parse(url)?.searchParams.get('key'),
  ];
  const [name] = Object.entries(keys).find(([, key]) => shown.includes(key)) ?? [];
  if (name === undefined)
    return shown.flatMap((key) => (typeof key === 'string' ? (madeKey(key) ?? []) : []))[0];
  if (elsewhere.includes(name)) return undefined;
  return name === 'K1' || name === 'K5' ? name : null;
}

/** Whether an account other than the tenant's pays. */
export function isElsewhere(payer: Payer): boolean {
  return payer === undefined || isOfMade(payer);
}

export function isOfMade(payer: Payer): payer is TestKey {
  return typeof payer === 'object' && payer !== null;
}
