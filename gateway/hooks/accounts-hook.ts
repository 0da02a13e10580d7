import type { KeyRing } from '../access/key-ring.ts';
import { changeAccount, createAccount } from '../admin/accounts.ts';
import { changeApp, createApp } from '../admin/apps.ts';
import { type Change, found } from '../admin/change.ts';
import { type ChangeDeps, changing } from '../admin/changing.ts';
import { changeKey, createKey } from '../admin/keys.ts';
import { changeUser, createUser } from '../admin/users.ts';
import type { Ledger } from '../billing/ledger.ts';
import type { Clock } from '../clock.ts';
import { invalidParam } from '../errors/gateway-error.ts';
import type { Pico } from '../money/pico.ts';
import { parse } from '../requests/first-issue.ts';
import { type Hook, hookBody } from './hook.ts';
import {
  type TestAccount,
  type TestAccountChange,
  type TestAccountView,
  testAccount,
  testAccountChange,
} from './test-account.ts';

/** Dependencies for making and changing test accounts. */
export interface AccountsHook extends ChangeDeps {
  readonly keys: KeyRing;
  readonly ledger: Pick<Ledger, 'grant'>;
  readonly clock: Clock;
}

/** POST /hooks/accounts: creates an account with users, apps and keys. */
export function createTestAccount(parts: AccountsHook): Hook {
  return async (exchange) => {
    const body = parse(await hookBody(exchange), testAccount);
    const view = await changing(parts, (change) => createAll(change, parts.keys, body));
    if (body.credits !== undefined) await grant(parts, view.account, body.credits);
    return view;
  };
}

/** POST /hooks/accounts/<id>: changes grants, quota, models, caps, keys and apps of an account. */
export function changeTestAccount(parts: AccountsHook): Hook {
  return async (exchange, { account = '' }) => {
    const body = parse(await hookBody(exchange), testAccountChange);
    await changing(parts, (change) => changeAll(change, account, body));
    if (body.grant !== undefined) await grant(parts, account, body.grant);
    return {};
  };
}

async function createAll(change: Change, ring: KeyRing, body: TestAccount): Promise<TestAccountView> {
  const like = ring.find(body.like)?.record;
  if (like === undefined) throw invalidParam('like', 'like must be a key of this gateway.');
  const account = await createAccount(change, {
    prepaid: body.prepaid ?? body.credits !== undefined,
    monthly_tokens: body.monthly_tokens ?? null,
    models: body.models ?? (like.models === null ? 'all' : [...like.models]),
    channels_of: like.channels_of ?? like.account_id,
  });
  const [users, apps, keys]: [string[], string[], { id: string; secret: string }[]] = [[], [], []];
  for (const user of body.users) users.push((await createUser(change, account.id, user)).id);
  for (const app of body.apps) apps.push((await createApp(change, account.id, app)).id);
  for (const [at, { user, app, ...fields }] of body.keys.entries()) {
    const [userId, appId] = [users[user], apps[app]];
    if (userId === undefined) throw invalidParam(`keys[${at}].user`, 'user must be a place in users.');
    if (appId === undefined) throw invalidParam(`keys[${at}].app`, 'app must be a place in apps.');
    const { id, secret } = await createKey(change, account.id, { ...fields, user_id: userId, app_id: appId });
    keys.push({ id, secret });
  }
  return { account: account.id, users, apps, keys };
}

async function changeAll(change: Change, accountId: string, body: TestAccountChange): Promise<void> {
  const { grant: _grant, caps = {}, keys = {}, apps = {}, ...account } = body;
  await changeAccount(change, accountId, account);
  const owned = <Row extends { account_id: string }>(row: Row, what: string): Row =>
    found(row.account_id === accountId ? row : undefined, what);
  for (const [id, cap] of Object.entries(caps)) owned(await changeUser(change, id, cap), 'user');
  for (const [id, fields] of Object.entries(keys)) owned(await changeKey(change, id, fields), 'key');
  for (const [id, fields] of Object.entries(apps)) owned(await changeApp(change, id, fields), 'app');
}

async function grant({ ledger, newId, clock }: AccountsHook, accountId: string, amount: Pico): Promise<void> {
  await ledger.grant({ accountId, id: newId('grant_'), amount, note: null, atMs: clock.now() });
}
