import type { Change } from '../../admin/change.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { changeDirectory } from '../../store/change-directory.ts';
import type { Gateway } from '../gateway.ts';

/**
 * Runs a change in one transaction; resolves when it is in effect. One that fails on the way may have been committed all
 * the same, by a database whose word was lost: then it comes into effect a little later.
 */
export async function changing<Result>(
  { db, directory, catalogue, newId, hashKey }: Gateway,
  run: (change: Change) => Promise<Result>,
): Promise<Result> {
  try {
    return await changeDirectory(db, (trx) =>
      run({ trx, isModel: (id) => catalogue.has(id), newId, hashKey }),
    );
  } finally {
    await directory.reload();
  }
}
