import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Ledger } from './billing/ledger.ts';
import { createSettlementSpool, type SettlementSpool } from './billing/settlement-spool.ts';
import { openSpoolFile } from './billing/spool-file.ts';
import { RealClock } from './clock.ts';
import type { Config } from './config.ts';
import { exitUsage, StartFailure } from './start-config.ts';
import type { Store } from './store/store.ts';
import { reasonOf } from './store/store-errors.ts';

interface SpoolDeps {
  readonly store: Pick<Store, 'id'>;
  readonly ledger: Pick<Ledger, 'settle'>;
  readonly onWaiting: (count: number) => void;
  readonly log: Logger;
}

/**
 * Opens the spool for settlements while the database is unreachable, and settles what was left in it. Null if no directory is
 * configured: answers then fail while the database is unreachable.
 * @throws StartFailure
 */
export async function openSpool(
  config: Config,
  { store, ...deps }: SpoolDeps,
): Promise<SettlementSpool | null> {
  const dir = spoolDir(config);
  if (dir === null) {
    deps.log.warn('store.spool_dir is missing: answers fail that end while the database is out of reach');
    return null;
  }
  const place = { dir, storeId: store.id, mostBytes: config.store.spool_bytes };
  const file = await openSpoolFile(place).catch((error: unknown) => {
    throw new StartFailure(`The spool ${dir} cannot be used: ${reasonOf(error)}.`, exitUsage);
  });
  const spool = createSettlementSpool({ ...deps, file, timer: new RealClock() });
  await spool.open();
  return spool;
}

function spoolDir({ store, media }: Config): string | null {
  if (store.spool_dir !== undefined) return store.spool_dir;
  if (media.dir !== undefined) return join(media.dir, 'spool');
  return store.data_dir === undefined ? null : join(store.data_dir, 'spool');
}
