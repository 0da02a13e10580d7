import type { Kysely } from 'kysely';
import type { Database } from '../store/database.ts';
import type { NewUser, UserView } from './account-schemas.ts';
import { pageOfAccount, readAccount } from './accounts.ts';
import { type Change, found, inserted } from './change.ts';
import type { Page, PageQuery } from './page.ts';

const columns = ['id', 'account_id', 'cap'] as const;
const usualCap = 3;

export function listUsers(db: Kysely<Database>, accountId: string, page: PageQuery): Promise<Page<UserView>> {
  const rowsFrom = (after: string, limit: number) =>
    db
      .selectFrom('users')
      .select(columns)
      .where('account_id', '=', accountId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
  return pageOfAccount(db, accountId, page, rowsFrom, (row) => row);
}

export async function createUser(change: Change, accountId: string, body: NewUser): Promise<UserView> {
  await readAccount(change.trx, accountId);
  const row = await change.trx
    .insertInto('users')
    .values({ id: body.id ?? change.newId('user_'), account_id: accountId, cap: body.cap ?? usualCap })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst();
  return inserted(row);
}

/** `cap` limits the user's requests in flight; undefined leaves it unchanged. */
export async function changeUser({ trx }: Change, id: string, cap: number | undefined): Promise<UserView> {
  if (cap !== undefined) await trx.updateTable('users').set({ cap }).where('id', '=', id).execute();
  const row = await trx.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirst();
  return found(row, 'user');
}
