import { z } from 'zod';
import { pageOf, pageQuery, pageView } from '../../admin/page.ts';
import { type AdminRoute, adminRoute } from './admin-route.ts';

const slotsView = z.strictObject({ user_id: z.string(), held: z.int().min(1) });

/** Route for the users with requests in flight. */
export const slotRoutes: readonly AdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/api/admin/slots',
    summary: 'Lists the users with requests in flight, with their number.',
    query: pageQuery,
    answer: pageView(slotsView),
    handle: async ({ admin, query: { limit, after = '' } }) => {
      const rest = (await admin.slots.all()).filter(({ userId }) => userId > after);
      return pageOf(
        rest,
        limit,
        ({ userId }) => userId,
        ({ userId, held }) => ({ user_id: userId, held }),
      );
    },
  }),
];
