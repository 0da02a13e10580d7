import { z } from 'zod';
import { moment } from '../../admin/account-schemas.ts';
import { readAccount } from '../../admin/accounts.ts';
import { found } from '../../admin/change.ts';
import { pageView } from '../../admin/page.ts';
import { invalidParam } from '../../errors/gateway-error.ts';
import type { WebhookSecret } from '../../webhooks/webhooks.ts';
import { type AdminRoute, adminRoute, deletedView } from './admin-route.ts';

const secretsPath = '/api/admin/accounts/:account/webhook-secrets';

/** The longest time for which an old secret also signs events. */
const maxOverlapMs = 30 * 24 * 3_600_000;
const overlapRule = `must be a whole number of milliseconds from 0 to ${maxOverlapMs}`;

const view = z.strictObject({
  id: z.string(),
  account_id: z.string(),
  last4: z.string().describe('How the secret ends.'),
  created_at: moment,
  ends_at: moment.nullable().describe('When it signs no more; null for the current one.'),
});
const newView = view.extend({ secret: z.string().describe('Shown this once.') });
const rotation = z.strictObject({
  overlap_ms: z
    .int(overlapRule)
    .min(0, overlapRule)
    .max(maxOverlapMs, overlapRule)
    .optional()
    .describe('How long the others sign beside the new one; as configured when left out.'),
});

/** Routes for the secrets that sign the events of an account. */
export const webhookSecretRoutes: readonly AdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: secretsPath,
    summary: 'Lists the webhook secrets of an account, newest first, without their values.',
    answer: pageView(view),
    handle: async ({ admin, ids: { account = '' } }) => {
      await readAccount(admin.db, account);
      return { data: (await admin.webhooks.secrets(account)).map(viewOf), next: null };
    },
  }),
  adminRoute({
    method: 'POST',
    path: secretsPath,
    summary: 'Creates a new current webhook secret. Only this answer shows it.',
    body: rotation,
    answer: newView,
    status: 201,
    hasChanged: () => true,
    handle: async ({ admin, ids: { account = '' }, body }) => {
      await readAccount(admin.db, account);
      const made = await admin.webhooks.rotate(account, body.overlap_ms ?? admin.webhookOverlapMs);
      return { ...viewOf(made), secret: made.secret };
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: `${secretsPath}/:secret`,
    summary: 'Removes a webhook secret that is not the current one, at once.',
    answer: deletedView,
    hasChanged: () => true,
    handle: async ({ admin: { db, webhooks }, ids: { account = '', secret = '' } }) => {
      await readAccount(db, account);
      const known = (await webhooks.secrets(account)).find((one) => one.id === secret);
      const { endsAtMs } = found(known, 'secret');
      if (endsAtMs === null) {
        throw invalidParam(
          'secret',
          'The current secret signs until there is another: make a new one first.',
        );
      }
      if (!(await webhooks.end(account, secret))) found(undefined, 'secret');
      return { id: secret, deleted: true };
    },
  }),
];

function viewOf({ id, accountId, hint, createdAtMs, endsAtMs }: WebhookSecret): z.input<typeof view> {
  return {
    id,
    account_id: accountId,
    last4: hint,
    created_at: new Date(createdAtMs).toISOString(),
    ends_at: endsAtMs === null ? null : new Date(endsAtMs).toISOString(),
  };
}
