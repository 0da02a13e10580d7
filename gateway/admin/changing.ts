import type { Kysely } from 'kysely';
import type { Catalogue } from '../catalogue/chat-models.ts';
import { mediaModels } from '../catalogue/media-models.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { changeDirectory } from '../store/change-directory.ts';
import type { Database } from '../store/database.ts';
import type { Change } from './change.ts';

/** What changes of accounts, keys, prices or channels require. */
export interface ChangeDeps extends Pick<Change, 'newId' | 'hashKey'> {
  readonly db: Kysely<Database>;
  /** Makes committed changes take effect. */
  readonly directory: {
    /** In this process. */
    reload(): Promise<void>;
    /** In all that share the database. */
    reloadEverywhere(): Promise<void>;
  };
  readonly catalogue: Pick<Catalogue, 'has'>;
  /** Writes the line of the change in the audit trail, in the same transaction; absent without an audit trail. */
  readonly audited?: { write(trx: Kysely<Database>, result: unknown): Promise<void> } | undefined;
}

/** Runs a change in one transaction; resolves when it is in effect, in this process and all others on the database. */
export async function changing<Result>(
  { db, directory, catalogue, newId, hashKey, audited }: ChangeDeps,
  run: (change: Change) => Promise<Result>,
): Promise<Result> {
  const isModel = (id: string): boolean => catalogue.has(id) || mediaModels.has(id);
  const change = changeDirectory(db, async (trx) => {
    const made = await run({ trx, isModel, newId, hashKey });
    await audited?.write(trx, made);
    return made;
  });
  const result = await change.catch((error: unknown) => {
    // Without an answer from the database, the commit may or may not have happened. The current state takes effect
    // as soon as it can be read (the directory ensures that).
    if (!(error instanceof GatewayError)) directory.reload().catch(() => {});
    throw error;
  });
  await directory.reloadEverywhere();
  return result;
}
