import {
  accountChange,
  accountView,
  appChange,
  appView,
  newAccount,
  newApp,
  newUser,
  userChange,
  userView,
} from '../../admin/account-schemas.ts';
import { changeAccount, createAccount, listAccounts, readAccount } from '../../admin/accounts.ts';
import { changeApp, createApp, listApps } from '../../admin/apps.ts';
import { changing } from '../../admin/changing.ts';
import { pageQuery, pageView } from '../../admin/page.ts';
import { changeUser, createUser, listUsers } from '../../admin/users.ts';
import { type AdminRoute, adminRoute } from './admin-route.ts';

const accountsPath = '/api/admin/accounts';
const accountPath = `${accountsPath}/:account`;

const accounts: readonly AdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: accountsPath,
    summary: 'Lists the accounts.',
    query: pageQuery,
    answer: pageView(accountView),
    handle: async ({ admin, query }) => listAccounts(admin.db, query),
  }),
  adminRoute({
    method: 'POST',
    path: accountsPath,
    summary: 'Creates an account.',
    body: newAccount,
    answer: accountView,
    status: 201,
    handle: async ({ admin, body }) => changing(admin, (change) => createAccount(change, body)),
  }),
  adminRoute({
    method: 'GET',
    path: accountPath,
    summary: 'Shows an account.',
    answer: accountView,
    handle: async ({ admin, ids: { account = '' } }) => readAccount(admin.db, account),
  }),
  adminRoute({
    method: 'PATCH',
    path: accountPath,
    summary: 'Changes the models and limits of an account.',
    body: accountChange,
    answer: accountView,
    handle: async ({ admin, ids: { account = '' }, body }) =>
      changing(admin, (change) => changeAccount(change, account, body)),
  }),
];

const users: readonly AdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: `${accountPath}/users`,
    summary: 'Lists the users of an account.',
    query: pageQuery,
    answer: pageView(userView),
    handle: async ({ admin, ids: { account = '' }, query }) => listUsers(admin.db, account, query),
  }),
  adminRoute({
    method: 'POST',
    path: `${accountPath}/users`,
    summary: 'Creates a user of an account.',
    body: newUser,
    answer: userView,
    status: 201,
    handle: async ({ admin, ids: { account = '' }, body }) =>
      changing(admin, (change) => createUser(change, account, body)),
  }),
  adminRoute({
    method: 'PATCH',
    path: '/api/admin/users/:user',
    summary: 'Changes how many requests a user may have in flight.',
    body: userChange,
    answer: userView,
    handle: async ({ admin, ids: { user = '' }, body: { cap } }) =>
      changing(admin, (change) => changeUser(change, user, cap)),
  }),
];

const apps: readonly AdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: `${accountPath}/apps`,
    summary: 'Lists the apps of an account.',
    query: pageQuery,
    answer: pageView(appView),
    handle: async ({ admin, ids: { account = '' }, query }) => listApps(admin.db, account, query),
  }),
  adminRoute({
    method: 'POST',
    path: `${accountPath}/apps`,
    summary: 'Creates an app of an account, with its pricing.',
    body: newApp,
    answer: appView,
    status: 201,
    handle: async ({ admin, ids: { account = '' }, body }) =>
      changing(admin, (change) => createApp(change, account, body)),
  }),
  adminRoute({
    method: 'PATCH',
    path: '/api/admin/apps/:app',
    summary: 'Changes the pricing of an app.',
    body: appChange,
    answer: appView,
    handle: async ({ admin, ids: { app = '' }, body }) =>
      changing(admin, (change) => changeApp(change, app, body)),
  }),
];

/** Routes for accounts, their users and their apps. */
export const accountRoutes: readonly AdminRoute[] = [...accounts, ...users, ...apps];
