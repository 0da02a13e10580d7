import type { Kysely, Selectable } from 'kysely';
import { invalidParam } from '../errors/gateway-error.ts';
import { formatUsd } from '../money/pico.ts';
import type { AccountsTable } from '../store/account-tables.ts';
import type { Database } from '../store/database.ts';
import type { AccountChange, AccountView, NewAccount } from './account-schemas.ts';
import { type Change, found, inserted, requireModels } from './change.ts';
import { type Page, type PageQuery, pageById } from './page.ts';

const columns = [
  'id',
  'models',
  'prepaid',
  'overdraft_pico',
  'monthly_tokens',
  'channels_of',
  'created_at',
] as const;
type Row = Pick<Selectable<AccountsTable>, (typeof columns)[number]>;

export async function listAccounts(db: Kysely<Database>, page: PageQuery): Promise<Page<AccountView>> {
  const rowsFrom = (after: string, limit: number) =>
    db.selectFrom('accounts').select(columns).where('id', '>', after).orderBy('id').limit(limit).execute();
  return pageById(page, rowsFrom, viewOf);
}

export async function readAccount(db: Kysely<Database>, id: string): Promise<AccountView> {
  const row = await db.selectFrom('accounts').select(columns).where('id', '=', id).executeTakeFirst();
  return viewOf(found(row, 'account'));
}

export async function createAccount(change: Change, body: NewAccount): Promise<AccountView> {
  const values = await columnsOf(change, body);
  const row = await change.trx
    .insertInto('accounts')
    .values({
      monthly_tokens: null,
      channels_of: null,
      models: null,
      ...values,
      id: body.id ?? change.newId('acct_'),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst();
  return viewOf(inserted(row));
}

export async function changeAccount(change: Change, id: string, body: AccountChange): Promise<AccountView> {
  await readAccount(change.trx, id);
  const values = await columnsOf(change, body);
  if (Object.keys(values).length > 0) {
    await change.trx.updateTable('accounts').set(values).where('id', '=', id).execute();
  }
  return readAccount(change.trx, id);
}

/** The columns that a request sets, after checks that a schema cannot express. */
async function columnsOf(
  { trx, isModel }: Change,
  { models, prepaid, overdraft, monthly_tokens: monthlyTokens, channels_of: channelOwner }: AccountChange,
): Promise<Partial<Omit<Row, 'id' | 'created_at'>>> {
  if (Array.isArray(models)) requireModels(models, isModel, (_name, at) => `models[${at}]`);
  if (channelOwner !== undefined && channelOwner !== null) {
    const known = await trx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', channelOwner)
      .executeTakeFirst();
    if (known === undefined) throw invalidParam('channels_of', 'channels_of must be one of the accounts.');
  }
  return {
    ...(models !== undefined && { models: models === 'all' ? null : models }),
    ...(prepaid !== undefined && { prepaid }),
    ...(overdraft !== undefined && { overdraft_pico: String(overdraft) }),
    ...(monthlyTokens !== undefined && {
      monthly_tokens: monthlyTokens === null ? null : BigInt(monthlyTokens),
    }),
    ...(channelOwner !== undefined && { channels_of: channelOwner }),
  };
}

function viewOf(row: Row): AccountView {
  return {
    id: row.id,
    models: row.models ?? 'all',
    prepaid: row.prepaid,
    overdraft: formatUsd(BigInt(row.overdraft_pico)),
    monthly_tokens: row.monthly_tokens === null ? null : Number(row.monthly_tokens),
    channels_of: row.channels_of,
    created_at: row.created_at.toISOString(),
  };
}

/** A page of what belongs to an account; `rowsFrom` reads rows after an id, up to a maximum. */
export async function pageOfAccount<Row extends { readonly id: string }, View>(
  db: Kysely<Database>,
  accountId: string,
  page: PageQuery,
  rowsFrom: (after: string, limit: number) => Promise<readonly Row[]>,
  viewOf: (row: Row) => View,
): Promise<Page<View>> {
  await readAccount(db, accountId);
  return pageById(page, rowsFrom, viewOf);
}
