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
  /** Makes committed changes take effect in this process. */
  readonly directory: { reload(): Promise<void> };
  readonly catalogue: Pick<Catalogue, 'has'>;
}

/** Runs a change in one transaction; resolves when it is in effect. */
export async function changing<Result>(
  { db, directory, catalogue, newId, hashKey }: ChangeDeps,
  run: (change: Change) => Promise<Result>,
): Promise<Result> {
  const change = changeDirectory(db, (trx) =>
    run({ trx, isModel: (id) => catalogue.has(id) || mediaModels.has(id), newId, hashKey }),
  );
  const result = await change.catch((error: unknown) => {
    // Without an answer from the database, the commit may or may not have happened. The current state takes effect
    // as soon as it can be read (the directory ensures that).
    if (!(error instanceof GatewayError)) directory.reload().catch(() => {});
    throw error;
  });
  await directory.reload();
  return result;
}
