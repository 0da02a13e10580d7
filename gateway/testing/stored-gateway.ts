import { randomUUID } from 'node:crypto';
import { createDirectoryPeers } from '../access/directory-peers.ts';
import { keyHasher } from '../access/hash-key.ts';
import { createAuditTrail } from '../admin/audit-trail.ts';
import { createLedger } from '../billing/create-ledger.ts';
import { createPriceList, type PriceList } from '../billing/price-list.ts';
import { createUsageReader } from '../billing/usage-reader.ts';
import { chatModels } from '../catalogue/chat-models.ts';
import { type MediaModel, type Medium, mediaModels } from '../catalogue/media-models.ts';
import { RealClock, TestClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { readKeys } from '../store/read-keys.ts';
import { readPrices } from '../store/read-prices.ts';
import { seedAccounts } from '../store/seed-accounts.ts';
import { seedOfConfig } from '../store/seed-of-config.ts';
import { seedRows } from '../store/seed-rows.ts';
import { openStore, type Store } from '../store/store.ts';
import { createSoleInstance } from '../work/instances.ts';
import { freshCluster, type StorePlace, silentLog } from './store/test-stores.ts';
import { startTestGateway, type TestGateway } from './test-gateway.ts';

export interface StoredGateway extends TestGateway {
  readonly store: Store;
  readonly prices: PriceList;
  /** Applies a configuration to the database as a start does. */
  reseed(config: Config): Promise<void>;
}

/** A test gateway with all of its books in a database: by default a new embedded one. */
export async function startStoredGateway(config: Config, at?: StorePlace): Promise<StoredGateway> {
  const fresh = at === undefined ? await freshCluster() : null;
  const store = await openStore({ ...(at ?? fresh?.place), log: silentLog });
  const clock = new TestClock();
  const seed = (from: Config): Promise<void> =>
    seedAccounts(store.db, seedRows(seedOfConfig(from), keyHasher(config.key_pepper)));
  await seed(config);
  const instances = createSoleInstance(`gw_${randomUUID()}`);
  const ledger = createLedger({
    db: store.db,
    instances,
    clock,
    timer: new RealClock(),
    log: silentLog,
  });
  await ledger.open();
  const prices = createPriceList(await readPrices(store.db));
  const gateway = await startTestGateway(config, {
    clock,
    keys: await readKeys(store.db),
    prices,
    ledger,
    usageReader: createUsageReader(store.db),
    db: store.db,
    audit: createAuditTrail(store.db),
    directoryPeers:
      store.session === null
        ? null
        : createDirectoryPeers({
            ...store,
            notices: store.session,
            instances,
            timer: new RealClock(),
            log: silentLog,
          }),
    sharesStore: store.kind === 'server',
  });
  await gateway.app.directory.reload();
  return Object.assign(gateway, {
    store,
    prices,
    clock,
    reseed: async (from: Config) => {
      await seed(from);
      await gateway.app.directory.reload();
    },
    close: async () => {
      await gateway.app.close();
      gateway.app.server.closeAllConnections();
      await new Promise<void>((resolve) => gateway.app.server.close(() => resolve()));
      await ledger.close();
      await store.close();
      await fresh?.remove();
    },
  });
}

/** A price for every model of the test configuration: dollars per million tokens, or per unit of media. */
export const testPrices: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries([
  ...[...chatModels.keys(), 'plain-1'].map((id) => [id, { input: '2.5', output: '10' }]),
  ...[...mediaModels.values()].map(({ id, served, medium }) => [id, mediaPrice(served, medium)]),
]);

function mediaPrice(served: MediaModel['served'], medium: Medium): Readonly<Record<string, string>> {
  if (served === 'images') return { per_image: '0.04' };
  return medium === 'video' ? { per_second: '0.05' } : { per_task: '0.3' };
}
