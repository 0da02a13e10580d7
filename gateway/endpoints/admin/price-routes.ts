import { changing } from '../../admin/changing.ts';
import { pageView } from '../../admin/page.ts';
import { deletePrice, listPrices, priceView, putPrice } from '../../admin/prices.ts';
import { priceBody } from '../../config/list-price.ts';
import { type AdminRoute, adminRoute, deletedView } from './admin-route.ts';

const pricePath = '/api/admin/prices/:model';

/** Routes for the price list. */
export const priceRoutes: readonly AdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/api/admin/prices',
    summary: 'Lists the prices.',
    answer: pageView(priceView),
    handle: async ({ admin }) => listPrices(admin.db),
  }),
  adminRoute({
    method: 'PUT',
    path: pricePath,
    summary: 'Sets the price of a model, for requests that end from now on.',
    body: priceBody,
    answer: priceView,
    handle: async ({ admin, ids: { model = '' }, body }) =>
      changing(admin, (change) => putPrice(change, model, body)),
  }),
  adminRoute({
    method: 'DELETE',
    path: pricePath,
    summary: 'Removes the price of a model, which is then free.',
    answer: deletedView,
    handle: async ({ admin, ids: { model = '' } }) => {
      await changing(admin, (change) => deletePrice(change, model));
      return { id: model, deleted: true };
    },
  }),
];
