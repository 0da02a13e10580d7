import { type Kysely, sql } from 'kysely';
import type { NewTask } from '../services/tasks/tasks.ts';
import type { Database } from '../store/database.ts';
import { tasksHolder } from '../store/ledger-tables.ts';
import { newRow } from './stored-task.ts';

/** The tasks of an account already occupy as much of the database as allowed. */
export class TasksTakeTooMuch extends Error {
  override name = 'TasksTakeTooMuch';
}

/**
 * Stores new tasks and transfers their holds to them. Returns for each whether it was stored. A task is not stored if the
 * tasks of its account would exceed `mostBytes`.
 */
export async function addTasks(
  trx: Kysely<Database>,
  tasks: readonly NewTask[],
  mostBytes: number,
): Promise<boolean[]> {
  const rows = tasks.map(newRow);
  const taken = await lockBytes(
    trx,
    rows.map((row) => row.account_id),
  );
  const added = new Map<string, number>();
  const fits = rows.map(({ account_id: account, bytes }) => {
    const more = (added.get(account) ?? 0) + bytes;
    if (Number(taken.get(account) ?? 0n) + more > mostBytes) return false;
    added.set(account, more);
    return true;
  });
  const stored = rows.filter((_, n) => fits[n]);
  if (stored.length === 0) return fits;
  await trx.insertInto('tasks').values(stored).execute();
  await trx
    .updateTable('open_holds')
    .set({ holder: tasksHolder })
    .where(
      'request_id',
      'in',
      stored.map((row) => row.request_id),
    )
    .execute();
  await addBytes(trx, added);
  return fits;
}

/** Removes tasks, and subtracts their bytes from the account's total. */
export async function removeTasks(trx: Kysely<Database>, ids: readonly string[]): Promise<void> {
  const gone = await trx
    .deleteFrom('tasks')
    .where('id', 'in', [...ids])
    .returning(['account_id', 'bytes'])
    .execute();
  const freed = new Map<string, number>();
  for (const { account_id: account, bytes } of gone) freed.set(account, (freed.get(account) ?? 0) - bytes);
  await addBytes(trx, freed);
}

/** Locks in the order of accounts, so that two processes that add at once cannot deadlock. */
async function lockBytes(
  trx: Kysely<Database>,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const wanted = [...new Set(accounts)];
  const { rows } = await sql<{ account_id: string; bytes: bigint }>`
    insert into task_bytes as known (account_id, bytes)
    select account_id, 0 from unnest(${wanted}::text[]) as account_id order by account_id
    on conflict (account_id) do update set bytes = known.bytes returning account_id, bytes`.execute(trx);
  return new Map(rows.map((row) => [row.account_id, row.bytes]));
}

async function addBytes(trx: Kysely<Database>, added: ReadonlyMap<string, number>): Promise<void> {
  if (added.size === 0) return;
  const rows = JSON.stringify([...added].map(([id, bytes]) => ({ id, bytes })));
  await sql`
    with more as (
      select known.account_id, x.bytes
      from task_bytes as known join json_to_recordset(${rows}::json) as x(id text, bytes bigint) on x.id = known.account_id
      order by known.account_id for update of known)
    update task_bytes as known set bytes = known.bytes + more.bytes
    from more where known.account_id = more.account_id`.execute(trx);
}
