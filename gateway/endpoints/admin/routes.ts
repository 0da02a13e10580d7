import { openApi } from '../../openapi/answer-schemas.ts';
import { openApiDocument } from '../../openapi/document.ts';
import { accountRoutes } from './account-routes.ts';
import { type AdminRoute, adminRoute } from './admin-route.ts';
import { auditRoutes } from './audit-routes.ts';
import { channelRoutes } from './channel-routes.ts';
import { creditRoutes } from './credit-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { ledgerRoutes } from './ledger-routes.ts';
import { priceRoutes } from './price-routes.ts';
import { slotRoutes } from './slot-routes.ts';
import { taskRoutes } from './task-routes.ts';
import { usageRoutes } from './usage-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { webhookSecretRoutes } from './webhook-secret-routes.ts';

/** All admin routes. */
export const adminRoutes: readonly AdminRoute[] = [
  ...accountRoutes,
  ...keyRoutes,
  ...creditRoutes,
  ...ledgerRoutes,
  ...usageRoutes,
  ...priceRoutes,
  ...channelRoutes,
  ...taskRoutes,
  ...webhookRoutes,
  ...webhookSecretRoutes,
  ...slotRoutes,
  ...auditRoutes,
  adminRoute({
    method: 'GET',
    path: '/api/admin/openapi.json',
    summary: 'Shows this document.',
    answer: openApi,
    handle: async () => openApiDocument(adminRoutes),
  }),
];
