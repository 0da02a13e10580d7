import type { Kysely, Selectable } from 'kysely';
import { invalidParam } from '../errors/gateway-error.ts';
import type { ApiKeysTable } from '../store/account-tables.ts';
import type { Database } from '../store/database.ts';
import { recognisable } from '../store/seed-rows.ts';
import type { KeyChange, KeyView, NewKey } from './account-schemas.ts';
import { pageOfAccount, readAccount } from './accounts.ts';
import { type Change, found, inserted } from './change.ts';
import type { Page, PageQuery } from './page.ts';

const columns = [
  'id',
  'account_id',
  'user_id',
  'app_id',
  'prefix',
  'last4',
  'disabled',
  'expires_at',
  'allow',
  'created_at',
] as const;
type Row = Pick<Selectable<ApiKeysTable>, (typeof columns)[number]>;

export function listKeys(db: Kysely<Database>, accountId: string, page: PageQuery): Promise<Page<KeyView>> {
  const rowsFrom = (after: string, limit: number) =>
    db
      .selectFrom('api_keys')
      .select(columns)
      .where('account_id', '=', accountId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
  return pageOfAccount(db, accountId, page, rowsFrom, viewOf);
}

/** Creates a key. Only this answer shows the secret; the gateway stores its hash. */
export async function createKey(
  change: Change,
  accountId: string,
  body: NewKey,
): Promise<KeyView & { secret: string }> {
  const { trx, newId, hashKey } = change;
  await readAccount(trx, accountId);
  await requireOwned(change, 'users', accountId, body.user_id);
  await requireOwned(change, 'apps', accountId, body.app_id);
  const secret = newId('sk-app-');
  const row = await trx
    .insertInto('api_keys')
    .values({
      id: body.id ?? newId('key_'),
      account_id: accountId,
      user_id: body.user_id,
      app_id: body.app_id,
      hash: hashKey(secret),
      ...recognisable(secret),
      expires_at: null,
      ...columnsOf(body),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(columns)
    .executeTakeFirst();
  return { ...viewOf(inserted(row)), secret };
}

export async function changeKey({ trx }: Change, id: string, body: KeyChange): Promise<KeyView> {
  const values = columnsOf(body);
  if (Object.keys(values).length > 0) {
    await trx.updateTable('api_keys').set(values).where('id', '=', id).execute();
  }
  const row = await trx.selectFrom('api_keys').select(columns).where('id', '=', id).executeTakeFirst();
  return viewOf(found(row, 'key'));
}

/** Deletes a key. A key from the configuration does not return at the next start. */
export async function deleteKey({ trx }: Change, id: string): Promise<{ account_id: string }> {
  const row = await trx
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .returning(['seed_digest', 'account_id'])
    .executeTakeFirst();
  const { seed_digest, account_id } = found(row, 'key');
  if (seed_digest !== null)
    await trx.insertInto('deleted_seeds').values({ kind: 'key', id, seed_digest }).execute();
  return { account_id };
}

/** Rejects an expiry in the past. */
export function requireFuture(expiresAt: string | null | undefined, nowMs: number): void {
  if (typeof expiresAt === 'string' && Date.parse(expiresAt) <= nowMs) {
    throw invalidParam('expires_at', 'expires_at must be in the future.');
  }
}

async function requireOwned(
  { trx }: Change,
  table: 'users' | 'apps',
  accountId: string,
  id: string,
): Promise<void> {
  const row = await trx
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (row !== undefined) return;
  const [param, what] = table === 'users' ? ['user_id', 'a user'] : ['app_id', 'an app'];
  throw invalidParam(param, `${param} must be ${what} of this account.`);
}

function columnsOf({
  disabled,
  expires_at: expiresAt,
  allow,
}: KeyChange): Partial<Pick<Row, 'disabled' | 'expires_at' | 'allow'>> {
  return {
    ...(disabled !== undefined && { disabled }),
    ...(expiresAt !== undefined && { expires_at: expiresAt === null ? null : new Date(expiresAt) }),
    ...(allow !== undefined && { allow }),
  };
}

function viewOf({ expires_at, created_at, ...row }: Row): KeyView {
  return {
    ...row,
    expires_at: expires_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}
