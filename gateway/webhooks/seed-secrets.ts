import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../store/database.ts';
import type { Seal } from './seal.ts';
import { makeCurrent, newRow, type SecretRow } from './secret-store.ts';

/** The accounts of the configuration. */
export interface ConfiguredAccount {
  readonly id: string;
  readonly webhook_secret?: string | undefined;
}

export interface SeedParts {
  readonly seal: Seal;
  /** The digest by which a secret is recognised. */
  readonly digestOf: (secret: string) => string;
  readonly overlapMs: number;
  readonly nowMs: number;
}

/** The origin of a secret from the configuration. */
const configured = 'configured';

/**
 * Makes the configured secrets the current ones. A secret that has not changed since the previous start changes nothing, even
 * if the account's secrets were changed since.
 */
export async function seedSecrets(
  db: Kysely<Database>,
  accounts: readonly ConfiguredAccount[],
  { seal, digestOf, overlapMs, nowMs }: SeedParts,
): Promise<void> {
  const named = accounts.flatMap(({ id, webhook_secret: secret }) =>
    secret === undefined ? [] : { accountId: id, secret, digest: digestOf(secret) },
  );
  if (named.length === 0) return;
  const known = await db
    .selectFrom('webhook_secrets')
    .select(['account_id', 'id', 'seed_digest'])
    .where(
      'account_id',
      'in',
      named.map((one) => one.accountId),
    )
    .execute();
  const rowOf = ({ accountId, secret, digest }: Named): SecretRow => ({
    ...newRow(accountId, configured, secret, nowMs, seal),
    seed_digest: digest,
  });
  const secretless = named.filter((one) => known.every((row) => row.account_id !== one.accountId));
  // The usual case, for all accounts at once. Another process may start at the same time with the same
  // configuration.
  if (secretless.length > 0)
    await db
      .insertInto('webhook_secrets')
      .values(secretless.map(rowOf))
      .onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing())
      .execute();
  const isOld = ({ accountId, digest }: Named): boolean => {
    const rows = known.filter((row) => row.account_id === accountId);
    return rows.length > 0 && !rows.some((row) => row.id === configured && row.seed_digest === digest);
  };
  for (const one of named.filter(isOld)) {
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('webhook_secrets')
        .set({ id: `whs_${randomUUID()}`, seed_digest: null })
        .where('account_id', '=', one.accountId)
        .where('id', '=', configured)
        .execute();
      await makeCurrent(trx, rowOf(one), overlapMs, nowMs);
    });
  }
}

interface Named {
  readonly accountId: string;
  readonly secret: string;
  readonly digest: string;
}
