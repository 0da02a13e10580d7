import type { Kysely } from 'kysely';
import type { Database } from '../store/database.ts';
import type { AppChange, AppView, NewApp } from './account-schemas.ts';
import { pageOfAccount, readAccount } from './accounts.ts';
import { type Change, found, inserted, requireModels } from './change.ts';
import type { Page, PageQuery } from './page.ts';

const columns = ['id', 'account_id', 'markup_bp', 'model_markup_bp'] as const;

export function listApps(db: Kysely<Database>, accountId: string, page: PageQuery): Promise<Page<AppView>> {
  const rowsFrom = (after: string, limit: number) =>
    db
      .selectFrom('apps')
      .select(columns)
      .where('account_id', '=', accountId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
  return pageOfAccount(db, accountId, page, rowsFrom, (row) => row);
}

export async function createApp(change: Change, accountId: string, body: NewApp): Promise<AppView> {
  await readAccount(change.trx, accountId);
  const row = await change.trx
    .insertInto('apps')
    .values({
      markup_bp: 0,
      ...columnsOf(change, body),
      id: body.id ?? change.newId('app_'),
      account_id: accountId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst();
  return inserted(row);
}

export async function changeApp(change: Change, id: string, body: AppChange): Promise<AppView> {
  const values = columnsOf(change, body);
  if (Object.keys(values).length > 0) {
    await change.trx.updateTable('apps').set(values).where('id', '=', id).execute();
  }
  const row = await change.trx.selectFrom('apps').select(columns).where('id', '=', id).executeTakeFirst();
  return found(row, 'app');
}

function columnsOf(
  { isModel }: Change,
  { markup_bp: markupBp, model_markup_bp: modelMarkupBp }: AppChange,
): Partial<Pick<AppView, 'markup_bp' | 'model_markup_bp'>> {
  requireModels(Object.keys(modelMarkupBp ?? {}), isModel, (name) => `model_markup_bp.${name}`);
  return {
    ...(markupBp !== undefined && { markup_bp: markupBp }),
    ...(modelMarkupBp !== undefined && { model_markup_bp: modelMarkupBp }),
  };
}
