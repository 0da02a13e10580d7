import { z } from 'zod';
import { moment } from '../../admin/account-schemas.ts';
import { found } from '../../admin/change.ts';
import { pageOf, pageQuery, pageView } from '../../admin/page.ts';
import type { AccountBalances, LedgerEntry } from '../../billing/ledger-reader.ts';
import { invalidParam } from '../../errors/gateway-error.ts';
import { formatUsd } from '../../money/pico.ts';
import { ledgerBooks, ledgerKinds } from '../../store/ledger-tables.ts';
import { type AdminRoute, adminRoute } from './admin-route.ts';
import type { Administration } from './administration.ts';

const usd = z.string().describe('Dollars.');
const entryView = z.strictObject({
  id: z.string(),
  transfer_id: z.string().describe('The entries of a transfer add up to zero.'),
  kind: z.enum(ledgerKinds),
  book: z.enum(ledgerBooks),
  amount: usd.describe('Dollars that the book gains.'),
  request_id: z.string().nullable(),
  note: z.string().nullable(),
  posted_at: moment,
});
const balancesView = z.strictObject({
  posted: usd.describe('Credits, those held for calls under way included.'),
  held: usd,
  available: usd.describe('Credits that are not held.'),
  prepaid: z.boolean().describe('Whether the account may only spend what it was granted.'),
  month: z.string().describe('The calendar month (UTC) of the tokens.'),
  tokens_used: z.int().min(0),
  monthly_tokens: z.int().min(0).nullable().describe('How many there may be; null for no bound.'),
});

const ledgerQuery = pageQuery.extend({ request_id: z.string().optional() });

/** Routes for the balance and the ledger entries of one account. */
export const ledgerRoutes: readonly AdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/api/admin/accounts/:account/balance',
    summary: 'Shows what an account has left.',
    answer: balancesView,
    handle: async ({ admin, ids }) => viewOfBalances(await balancesOf(admin, ids.account)),
  }),
  adminRoute({
    method: 'GET',
    path: '/api/admin/accounts/:account/ledger',
    summary: 'Lists the ledger entries of an account, newest first.',
    query: ledgerQuery,
    answer: pageView(entryView),
    handle: async ({
      admin,
      ids: { account = '' },
      query: { limit, after, request_id: requestId = null },
    }) => {
      await balancesOf(admin, account);
      const before = after === undefined ? null : entryIn(after);
      const entries = await admin.ledgerReader.ofAccount(account, { requestId, before, limit: limit + 1 });
      return pageOf(entries, limit, ({ id }) => id.toString(), viewOfEntry);
    },
  }),
];

async function balancesOf({ ledgerReader, clock }: Administration, accountId = ''): Promise<AccountBalances> {
  return found((await ledgerReader.balances(accountId, clock.now())) ?? undefined, 'account');
}

function entryIn(cursor: string): bigint {
  if (!/^\d{1,18}$/.test(cursor)) throw invalidParam('after', 'after must be the next of an earlier answer.');
  return BigInt(cursor);
}

function viewOfEntry(entry: LedgerEntry): z.input<typeof entryView> {
  return {
    id: entry.id.toString(),
    transfer_id: entry.transferId,
    kind: entry.kind,
    book: entry.book,
    amount: formatUsd(entry.amount),
    request_id: entry.requestId,
    note: entry.note,
    posted_at: new Date(entry.postedAtMs).toISOString(),
  };
}

function viewOfBalances(balances: AccountBalances): z.input<typeof balancesView> {
  const { posted, held, monthlyTokens } = balances;
  return {
    posted: formatUsd(posted),
    held: formatUsd(held),
    available: formatUsd(posted - held),
    prepaid: balances.prepaid,
    month: balances.month,
    tokens_used: Number(balances.tokensUsed),
    monthly_tokens: monthlyTokens === null ? null : Number(monthlyTokens),
  };
}
