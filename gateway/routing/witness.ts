/** Whose calls failed on a channel: a user, as `witnessOf` names it, or all users of an account, by its id. */
export type Witness = string;

/** Between the id of an account and that of its user; ids have no line breaks. */
const separator = '\n';

/** Names a user of an account. */
export function witnessOf({ accountId, userId }: { accountId: string; userId: string }): Witness {
  return `${accountId}${separator}${userId}`;
}

/** The account of a witness; itself if it has none. */
export function accountIn(witness: Witness): Witness {
  return witness.split(separator, 1)[0] ?? '';
}

/** Whether a witness is `other`, or a user of it. */
export function isOf(witness: Witness, other: Witness): boolean {
  return witness === other || accountIn(witness) === other;
}

/**
 * Who is to blame alone for these failures: a user, or an account of which several users failed; null where `areMany` says that
 * enough of them are not of the one that has most.
 */
export function aloneAmong(
  failures: ReadonlyMap<Witness, number>,
  areMany: (failures: number, ofWorst: number) => boolean,
): Witness | null {
  const accounts = new Map<Witness, number>();
  for (const [by, count] of failures) accounts.set(accountIn(by), (accounts.get(accountIn(by)) ?? 0) + count);
  const [account, most] = worstOf(accounts);
  if (areMany(sumOf(failures), most)) return null;
  const users = new Map([...failures].filter(([by]) => accountIn(by) === account));
  const [user, ofUser] = worstOf(users);
  return areMany(most, ofUser) ? account : user;
}

function worstOf(counts: ReadonlyMap<Witness, number>): readonly [Witness, number] {
  return [...counts].reduce((worst, one) => (one[1] > worst[1] ? one : worst), ['', 0]);
}

function sumOf(counts: ReadonlyMap<Witness, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Whom a log line about a breaker names. */
export function blamed(witness: Witness): { readonly account?: string; readonly user?: string } {
  const [account = '', user] = witness.split(separator);
  return user === undefined ? { account } : { account, user };
}
