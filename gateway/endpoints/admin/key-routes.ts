import { keyChange, keyView, newKey, newKeyView } from '../../admin/account-schemas.ts';
import { changing } from '../../admin/changing.ts';
import { changeKey, createKey, deleteKey, listKeys, requireFuture } from '../../admin/keys.ts';
import { pageQuery, pageView } from '../../admin/page.ts';
import { type AdminRoute, adminRoute, deletedView } from './admin-route.ts';

const keysPath = '/api/admin/accounts/:account/keys';
const keyPath = '/api/admin/keys/:key';

/** Routes for the keys of an account. */
export const keyRoutes: readonly AdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: keysPath,
    summary: 'Lists the keys of an account, without their secrets.',
    query: pageQuery,
    answer: pageView(keyView),
    handle: async ({ admin, ids: { account = '' }, query }) => listKeys(admin.db, account, query),
  }),
  adminRoute({
    method: 'POST',
    path: keysPath,
    summary: 'Creates a key. Only this answer has its secret.',
    body: newKey,
    answer: newKeyView,
    status: 201,
    handle: async ({ admin, ids: { account = '' }, body }) => {
      requireFuture(body.expires_at, admin.clock.now());
      return changing(admin, (change) => createKey(change, account, body));
    },
  }),
  adminRoute({
    method: 'PATCH',
    path: keyPath,
    summary: 'Changes whether, until when and from where a key may be used.',
    body: keyChange,
    answer: keyView,
    handle: async ({ admin, ids: { key = '' }, body }) => {
      requireFuture(body.expires_at, admin.clock.now());
      return changing(admin, (change) => changeKey(change, key, body));
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: keyPath,
    summary: 'Deletes a key.',
    answer: deletedView,
    handle: async ({ admin, ids: { key = '' } }) => {
      await changing(admin, (change) => deleteKey(change, key));
      return { id: key, deleted: true };
    },
  }),
];
