import { z } from 'zod';
import { moment } from '../../admin/account-schemas.ts';
import type { AuditEntry } from '../../admin/audit-trail.ts';
import { pageOf, pageQuery, pageView } from '../../admin/page.ts';
import { id } from '../../config/fields.ts';
import { invalidParam } from '../../errors/gateway-error.ts';
import { auditOutcomes } from '../../store/audit-table.ts';
import { type AdminRoute, adminRoute } from './admin-route.ts';

const word = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable characters');

const auditQuery = pageQuery.extend({
  token: id.optional().describe('The name of the admin token.'),
  resource: word.optional(),
  resource_id: word.optional(),
  account_id: id.optional(),
  from: moment.optional().describe('Changes at this time or later.'),
  to: moment.optional().describe('Changes before this time.'),
});

const auditView = z.strictObject({
  id: z.string(),
  at: moment,
  token: z.string().describe('The name of the admin token that the request came with.'),
  method: z.string(),
  path: z.string(),
  resource: z.string().describe('What was changed: accounts, users, apps, keys, grants …'),
  resource_id: z.string().nullable(),
  account_id: z.string().nullable().describe('The account that it belongs to.'),
  request_id: z.string(),
  changes: z
    .record(z.string(), z.unknown())
    .describe('The body of the request; of a very long one, the names of its members as too_long.'),
  outcome: z
    .enum(auditOutcomes)
    .describe('unknown: the gateway died, or lost its database, while the change was under way.'),
});

/** The route of the audit trail. */
export const auditRoutes: readonly AdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/api/admin/audit',
    summary: 'Lists what administrators changed, newest first.',
    query: auditQuery,
    answer: pageView(auditView),
    handle: async ({ admin, query: { limit, after, ...query } }) => {
      const filter = {
        token: query.token,
        resource: query.resource,
        resourceId: query.resource_id,
        accountId: query.account_id,
        fromMs: query.from === undefined ? undefined : Date.parse(query.from),
        toMs: query.to === undefined ? undefined : Date.parse(query.to),
      };
      const before = after === undefined ? null : lineIn(after);
      const entries = await admin.audit.search(filter, limit + 1, before);
      return pageOf(entries, limit, (entry) => entry.id.toString(), viewOf);
    },
  }),
];

function lineIn(cursor: string): bigint {
  if (!/^\d{1,18}$/.test(cursor)) throw invalidParam('after', 'after must be the next of an earlier answer.');
  return BigInt(cursor);
}

function viewOf({
  id: line,
  atMs,
  resourceId,
  accountId,
  requestId,
  ...entry
}: AuditEntry): z.input<typeof auditView> {
  return {
    ...entry,
    id: line.toString(),
    at: new Date(atMs).toISOString(),
    resource_id: resourceId,
    account_id: accountId,
    request_id: requestId,
  };
}
