import { thinGrant } from '../world/prices.ts';
import { type Invariant, must, type View } from '../world/view.ts';

/** Totals are sums of postings, transfers add up to zero, and what is held is held for somebody. */
export const money: Invariant = {
  name: 'money',
  reads: ({ entries, balances, holds }) => [entries, balances, holds],
  committed: ({ tables }) => {
    const sums = new Map<string, { posted: bigint; held: bigint }>();
    const transfers = new Map<string, bigint>();
    for (const { accountId, book, amount, transferId } of tables.entries.all()) {
      const sum = sums.get(accountId) ?? { posted: 0n, held: 0n };
      if (book === 'credits' || book === 'held') sum.posted += amount;
      if (book === 'held') sum.held += amount;
      sums.set(accountId, sum);
      transfers.set(transferId, (transfers.get(transferId) ?? 0n) + amount);
    }
    for (const [transferId, sum] of transfers) must(sum === 0n, () => `${transferId} adds up to ${sum}`);
    for (const accountId of tables.balances.keys()) {
      const balance = tables.balances.get(accountId);
      const { posted, held } = sums.get(accountId) ?? { posted: 0n, held: 0n };
      const open = tables.holds.all().filter((hold) => hold.accountId === accountId);
      const openSum = open.reduce((sum, { amount }) => sum + amount, 0n);
      must(
        balance?.posted === posted,
        () => `the balance of ${accountId} is ${balance?.posted}, not ${posted}`,
      );
      must(held >= 0n, () => `${accountId} holds ${held}`);
      must(
        balance?.held === held && held === openSum,
        () => `${accountId} holds ${held}, and ${openSum} is open`,
      );
    }
  },
  atRest: ({ tables }: View) => {
    const open = tables.holds.all();
    must(
      open.length === 0,
      () => `holds are left at the end: ${open.map(({ requestId }) => requestId).join(', ')}`,
    );
    const charged = tables.records.all().reduce((sum, { charge }) => sum + charge, 0n);
    const balance = tables.balances
      .keys()
      .reduce((sum, id) => sum + (tables.balances.get(id)?.posted ?? 0n), 0n);
    must(
      balance === thinGrant - charged,
      () => `accounts stand at ${balance}, with ${charged} charged in all`,
    );
  },
};
