import { z } from 'zod';
import { readAccount } from '../../admin/accounts.ts';
import type { Posting } from '../../billing/ledger.ts';
import { id } from '../../config/fields.ts';
import { signedUsdText, usdText } from '../../config/money.ts';
import { invalidParam } from '../../errors/gateway-error.ts';
import { formatUsd, type Pico } from '../../money/pico.ts';
import { type AdminRoute, adminRoute } from './admin-route.ts';
import type { Administration } from './administration.ts';

const note = z
  .string('must be a text')
  .regex(/^[^\p{Cc}\p{Cs}]{1,500}$/u, 'must be 1 to 500 characters of text without line breaks');
const requestId = z.string('must be a text').regex(/^[\x21-\x7e]{1,200}$/, 'must be the id of a request');

const newGrant = z.strictObject({
  amount: usdText.describe('Dollars.'),
  id: id.optional().describe('The same id again changes nothing.'),
  note: note.optional(),
});
const newCorrection = z.strictObject({
  amount: signedUsdText.describe('Dollars that the account gains or, below zero, loses.'),
  id: id.optional().describe('The same id again changes nothing.'),
  note,
  request_id: requestId.optional().describe('The request that was charged wrongly.'),
});
const postingView = z.strictObject({
  id,
  amount: z.string(),
  posted: z.boolean().describe('False when it was on record already.'),
});

/** Routes for grants of credits, and for corrections of wrong charges. */
export const creditRoutes: readonly AdminRoute[] = [
  adminRoute({
    method: 'POST',
    path: '/api/admin/accounts/:account/grants',
    summary: 'Grants credits to an account.',
    body: newGrant,
    answer: postingView,
    status: 201,
    hasChanged: (view: z.input<typeof postingView>) => view.posted,
    handle: async ({ admin, ids: { account = '' }, body }) => {
      const { id: accountId } = await readAccount(admin.db, account);
      const { id = admin.newId('grant_'), amount, note = null } = body;
      const atMs = admin.clock.now();
      const posting = await admin.ledger.grant({ accountId, id, amount, note, atMs });
      return viewOf(id, amount, posting);
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/api/admin/accounts/:account/corrections',
    summary: 'Corrects a charge by a new ledger entry.',
    body: newCorrection,
    answer: postingView,
    status: 201,
    hasChanged: (view: z.input<typeof postingView>) => view.posted,
    handle: async ({ admin, ids: { account = '' }, body }) => {
      const { id: accountId } = await readAccount(admin.db, account);
      const { id = admin.newId('corr_'), amount, note, request_id: requestId = null } = body;
      if (requestId !== null) await requireRequest(admin, accountId, requestId);
      const atMs = admin.clock.now();
      const posting = await admin.ledger.correct({ accountId, id, amount, note, requestId, atMs });
      return viewOf(id, amount, posting);
    },
  }),
];

/** Refuses a correction of a request for which the account has no ledger entry. */
async function requireRequest(
  { ledgerReader }: Administration,
  accountId: string,
  requestId: string,
): Promise<void> {
  const entries = await ledgerReader.ofAccount(accountId, { requestId, before: null, limit: 1 });
  if (entries.length > 0) return;
  throw invalidParam('request_id', 'request_id must be a request of this account.');
}

function viewOf(id: string, amount: Pico, posting: Posting): z.input<typeof postingView> {
  if (posting === 'different') throw invalidParam('id', 'id is on record with another amount or account.');
  return { id, amount: formatUsd(amount), posted: posting === 'posted' };
}
