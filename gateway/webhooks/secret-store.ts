import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../store/database.ts';
import type { WebhookSecretsTable } from '../store/work-tables.ts';
import type { Seal } from './seal.ts';
import { hintOf, newSecret } from './sign.ts';
import type { WebhookSecret } from './webhooks.ts';

/** The secrets that sign the events of accounts. */
export interface SecretStore {
  /** The signing secrets of each of these accounts, the newest first. An account without any gets one. */
  signing(accountIds: readonly string[], nowMs: number): Promise<ReadonlyMap<string, readonly string[]>>;
  list(accountId: string, nowMs: number): Promise<WebhookSecret[]>;
  /** Makes a secret the current one; the older ones sign until this time at the latest. */
  rotate(
    accountId: string,
    overlapMs: number,
    nowMs: number,
  ): Promise<WebhookSecret & { readonly secret: string }>;
  /** Ends a secret that is not the current one. */
  end(accountId: string, secretId: string, nowMs: number): Promise<boolean>;
}

/** The origin of the secret that an account gets at its first event. */
const first = 'first';

export type SecretRow = Selectable<WebhookSecretsTable>;

export function createSecretStore(db: Kysely<Database>, seal: Seal): SecretStore {
  const rowsOf = (accountIds: readonly string[], nowMs: number): Promise<SecretRow[]> =>
    db
      .selectFrom('webhook_secrets')
      .selectAll()
      .where('account_id', 'in', [...accountIds])
      .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', new Date(nowMs))]))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute();
  const opened = async (accountIds: readonly string[], nowMs: number): Promise<Map<string, string[]>> => {
    const all = new Map<string, string[]>(accountIds.map((id) => [id, []]));
    for (const row of newestFirst(await rowsOf(accountIds, nowMs))) {
      const secret = row.sealed === null ? null : seal.open(row.sealed, row.account_id);
      if (secret !== null) all.get(row.account_id)?.push(secret);
    }
    return all;
  };
  const rotate: SecretStore['rotate'] = (accountId, overlapMs, nowMs) =>
    db.transaction().execute(async (trx) => {
      const secret = newSecret();
      const row = newRow(accountId, `whs_${randomUUID()}`, secret, nowMs, seal);
      await makeCurrent(trx, row, overlapMs, nowMs);
      return { ...viewOf(row), secret };
    });
  return {
    signing: async (accountIds, nowMs) => {
      const found = await opened(accountIds, nowMs);
      const without = accountIds.filter((id) => found.get(id)?.length === 0);
      if (without.length === 0) return found;
      await db
        .insertInto('webhook_secrets')
        .values(without.map((id) => newRow(id, first, newSecret(), nowMs, seal)))
        .onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing())
        .execute();
      const again = await opened(without, nowMs);
      for (const [id, secrets] of again) {
        // There is a secret, but it cannot be decrypted: it was encrypted under another pepper.
        found.set(id, secrets.length > 0 ? secrets : [(await rotate(id, 0, nowMs)).secret]);
      }
      return found;
    },
    list: async (accountId, nowMs) => newestFirst(await rowsOf([accountId], nowMs)).map(viewOf),
    rotate,
    end: async (accountId, secretId, nowMs) => {
      const { numUpdatedRows } = await db
        .updateTable('webhook_secrets')
        .set({ ends_at: new Date(nowMs), sealed: null })
        .where('account_id', '=', accountId)
        .where('id', '=', secretId)
        .where('ends_at', '>', new Date(nowMs))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

export function newRow(accountId: string, id: string, secret: string, nowMs: number, seal: Seal): SecretRow {
  return {
    account_id: accountId,
    id,
    sealed: seal.close(secret, accountId),
    hint: hintOf(secret),
    created_at: new Date(nowMs),
    ends_at: null,
    seed_digest: null,
  };
}

/** Adds a secret that signs from now on, and sets the end of the others. Removes those that have ended already. */
export async function makeCurrent(
  trx: Kysely<Database>,
  row: SecretRow,
  overlapMs: number,
  nowMs: number,
): Promise<void> {
  const { account_id: accountId } = row;
  const over = new Date(nowMs);
  await trx
    .deleteFrom('webhook_secrets')
    .where('account_id', '=', accountId)
    .where('ends_at', '<=', over)
    .where('seed_digest', 'is', null)
    .execute();
  await trx
    .updateTable('webhook_secrets')
    .set({ sealed: null })
    .where('account_id', '=', accountId)
    .where('ends_at', '<=', over)
    .execute();
  const until = new Date(nowMs + overlapMs);
  await trx
    .updateTable('webhook_secrets')
    .set({ ends_at: until })
    .where('account_id', '=', accountId)
    .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', until)]))
    .execute();
  await trx.insertInto('webhook_secrets').values(row).execute();
}

/** The current secret first, then those about to end, regardless of their creation times. */
function newestFirst(rows: readonly SecretRow[]): SecretRow[] {
  return rows.toSorted(
    (one, other) =>
      Number(one.ends_at !== null) - Number(other.ends_at !== null) ||
      other.created_at.getTime() - one.created_at.getTime(),
  );
}

function viewOf(row: SecretRow): WebhookSecret {
  return {
    id: row.id,
    accountId: row.account_id,
    hint: row.hint,
    createdAtMs: row.created_at.getTime(),
    endsAtMs: row.ends_at?.getTime() ?? null,
  };
}
