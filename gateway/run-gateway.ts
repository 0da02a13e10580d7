import type { Server } from 'node:http';
import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { createDirectoryPeers } from './access/directory-peers.ts';
import { keyHasher } from './access/hash-key.ts';
import { recallByNotice } from './access/recall-by-notice.ts';
import { createAuditTrail } from './admin/audit-trail.ts';
import { createApp } from './app.ts';
import { createLedger } from './billing/create-ledger.ts';
import type { Grant, Ledger } from './billing/ledger.ts';
import { createLedgerReader } from './billing/ledger-reader.ts';
import { createPriceList } from './billing/price-list.ts';
import { createUsageReader } from './billing/usage-reader.ts';
import { type Clock, RealClock, steadyClock, TestClock } from './clock.ts';
import type { Config } from './config.ts';
import { drain } from './drain.ts';
import { ownUrl } from './http/own-url.ts';
import { type Log, openLog } from './log/open-log.ts';
import { countedFiles } from './media/counted-files.ts';
import { readKept } from './metrics/backlog.ts';
import { addChannelMetrics } from './metrics/channel-metrics.ts';
import { addProcessMetrics, createMetrics } from './metrics/metrics.ts';
import { addStoreMetrics } from './metrics/store-metrics.ts';
import { openMedia } from './open-media.ts';
import { openSpool } from './open-spool.ts';
import { createOutbound } from './outbound/create-outbound.ts';
import type { Outbound } from './outbound/outbound.ts';
import { scriptedResolve, systemResolve } from './outbound/resolve.ts';
import { createRandomIds } from './random-ids.ts';
import { readCa } from './read-ca.ts';
import { createOutcomesElsewhere } from './routing/outcomes-elsewhere.ts';
import type { Siblings } from './siblings.ts';
import { exitUsage, poolLimits, StartFailure, serverUrl, sessionUrl, tokensOf } from './start-config.ts';
import { inSlices } from './store/in-slices.ts';
import { seedAccounts } from './store/seed-accounts.ts';
import { seedOfConfig } from './store/seed-of-config.ts';
import { seedRows } from './store/seed-rows.ts';
import { openStore, type Store } from './store/store.ts';
import type { StoreError } from './store/store-errors.ts';
import { createStoreLink, type StoreLink } from './store/store-link.ts';
import { createTasks } from './tasks/create-tasks.ts';
import { openTracing } from './tracing/open-tracing.ts';
import type { Tracing } from './tracing/tracing.ts';
import { TracingUnavailable } from './tracing/tracing-unavailable.ts';
import { countingUsage, startWatches } from './watches.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';
import { createSeal } from './webhooks/seal.ts';
import { seedSecrets } from './webhooks/seed-secrets.ts';
import { createSoleInstance } from './work/instances.ts';
import { createLeasedInstances } from './work/leased-instances.ts';

/** Standard error. */
const logDescriptor = 2;
/** Ledger batches in flight at once on a database server. */
const serverBatches = 3;
/** Files are kept this much longer than the tasks that refer to them. */
const fileSlackMs = 3_600_000;

/** A gateway that listens. */
export interface RunningGateway {
  readonly url: string;
  /** Drains, and closes everything. */
  stop(): Promise<void>;
}

/** Facts about the start of a process beyond its configuration. */
export interface ProcessStart {
  /** Its number among the workers, where there are several. */
  readonly worker?: number;
  /** The thread of an embedded store, if it was started early. */
  readonly thread?: Worker | null;
}

/** Starts one process of a gateway. @throws StartFailure or a StoreError, each with a sentence for the operator */
export async function startGateway(
  config: Config,
  siblings: Siblings,
  { worker, thread = null }: ProcessStart,
): Promise<RunningGateway> {
  const adminTokens = tokensOf(config);
  const { log, flush, dropped } = openLog(logDescriptor, worker === undefined ? null : { worker });
  const registry = new Registry();
  addProcessMetrics(registry, dropped);
  const metrics = createMetrics(registry, siblings);
  const tracing = await tracingOf(() => log.warn('spans could not be sent'));
  const clock = await clockOf(config, siblings);
  const steady = steadyClock(clock);
  const storeLink = config.test?.store === true ? createStoreLink() : null;
  const opening = openConfiguredStore(config, storeLink, { log, flush, thread });
  const hashKey = keyHasher(config.key_pepper);
  // Hashes all keys while the store opens.
  const seed = seedRows(seedOfConfig(config), hashKey);
  const store = await opening;
  await seedAccounts(store.db, seed);
  const randomId = createRandomIds();
  const instanceId = `gw_${randomId()}`;
  const { session } = store;
  const instances =
    session === null
      ? createSoleInstance(instanceId)
      : createLeasedInstances({ db: store.db, session, name: instanceId, timer: new RealClock() });
  const ledger = createLedger({
    db: store.db,
    instances,
    clock,
    timer: new RealClock(),
    log,
    batchesInFlight: store.kind === 'server' ? serverBatches : 1,
  });
  await ledger.open();
  await grantConfigured(config, ledger, clock.now(), log);
  const media = await openMedia(config, store.kind, { clock: steady, timer: new RealClock(), randomId });
  const mediaFiles = countedFiles(media.files, metrics.mediaFailed);
  const outbound = createWaysOut(config);
  const shared = { db: store.db, instances, clock: steady, timer: new RealClock(), log };
  const seal = createSeal(config.key_pepper);
  await seedSecrets(store.db, config.accounts, {
    seal,
    digestOf: hashKey,
    overlapMs: config.webhooks.overlap_ms,
    nowMs: clock.now(),
  });
  const webhooks = createWebhooks({
    ...shared,
    wall: clock,
    limits: config.webhooks,
    retentionMs: config.tasks.retention_ms,
    outbound: outbound.events,
    seal,
    newId: (prefix) => prefix + randomId(),
    random: Math.random,
    onAttempt: metrics.eventAttempted,
  });
  const counted = countingUsage(ledger, metrics);
  const spool = await openSpool(config, { store, ledger: counted, onWaiting: metrics.settlementsWait, log });
  const app = createApp({
    config,
    clock,
    steady,
    adminTokens,
    audit: createAuditTrail(store.db),
    metrics,
    tracing,
    keys: [],
    ledger: counted,
    settleAnswer: spool?.settle ?? counted.settle,
    ledgerReader: createLedgerReader(store.db),
    usageReader: createUsageReader(store.db),
    prices: createPriceList([]),
    webhooks,
    tasks: (work, events) =>
      createTasks({
        ...shared,
        work,
        events,
        limits: config.tasks,
        removeOldFiles: async () => {
          await mediaFiles.removeOlderThan(config.tasks.retention_ms + fileSlackMs);
          await webhooks.forgetOld();
        },
      }),
    mediaFiles,
    outbound: outbound.files,
    db: store.db,
    checkStore: store.check,
    instances,
    slotRecall: session === null ? null : recallByNotice(session, instanceId),
    directoryPeers: session === null ? null : createDirectoryPeers({ ...shared, notices: session }),
    outcomes: session === null ? null : createOutcomesElsewhere(session, instanceId),
    sharesStore: instances.isShared,
    storeLink,
    siblings,
    randomId,
    random: Math.random,
    log,
  });
  addChannelMetrics(registry, app.channels);
  addStoreMetrics(registry, {
    readKept: () => readKept(store.db, steady.now()),
    slots: app.slots.all,
    timer: new RealClock(),
  });
  // Loads keys and prices into memory, as after every change of them.
  await app.directory.reload();
  await listen(app.server, config);
  await app.tasks.open();
  await webhooks.open();
  const url = ownUrl(app.server, config.listen.host);
  const watched = { config, ownUrl: url, store, digestOf: hashKey, clock: steady, timer: new RealClock() };
  const watches = await startWatches({ ...watched, uncharged: ledger.uncharged, metrics, log });
  const stop = async (): Promise<void> => {
    await drain(app);
    await watches.stop();
    await app.tasks.close();
    await webhooks.close();
    await app.close();
    await spool?.close();
    await ledger.close();
    await media.close();
    await store.close();
    await tracing?.close();
    await flush();
  };
  return { url, stop };
}

async function tracingOf(onFault: () => void): Promise<Tracing | null> {
  try {
    return await openTracing(process.env, onFault);
  } catch (error) {
    if (error instanceof TracingUnavailable) throw new StartFailure(error.message, exitUsage);
    throw error;
  }
}

/** Sets the test clock to the time of the other workers' clocks, which may have been moved before this process started. */
async function clockOf({ test }: Config, siblings: Siblings): Promise<Clock> {
  if (test?.clock !== true) return new RealClock();
  const clock = new TestClock();
  const shown = (await siblings.ask('clock.now', null)).filter((ms) => typeof ms === 'number');
  await clock.advance(Math.max(0, ...shown.map((ms) => ms - Date.now())));
  siblings.answer('clock.now', async () => clock.now());
  return clock;
}

async function openConfiguredStore(
  config: Config,
  link: StoreLink | null,
  { log, flush, thread }: Pick<Log, 'log' | 'flush'> & { readonly thread: Worker | null },
): Promise<Store> {
  const { store, test } = config;
  const url = serverUrl(config);
  const common = { log, ...(link !== null && { link }) };
  if (url !== undefined)
    return openStore({ url, ...sessionUrl(config), env: process.env, limits: poolLimits(store), ...common });
  // A gateway without its database can only fail. So the process exits at once, where the operator sees it.
  const onFailure = (error: StoreError): void => {
    log.fatal({ err: error }, 'the embedded database died');
    void flush().then(() => process.exit(1));
  };
  if (store.data_dir !== undefined) {
    const keptClusters = test?.kept_clusters;
    return openStore({
      ...{ dataDir: store.data_dir, ...common, onFailure },
      ...(keptClusters !== undefined && { keptClusters }),
      ...(thread !== null && { thread }),
    });
  }
  throw new StartFailure('store needs data_dir or url, or the environment DATABASE_URL.', exitUsage);
}

/** Outbound connections to URLs that upstreams and callers name: for files, and for receivers of events. */
function createWaysOut(config: Config): { files: Outbound; events: Outbound } {
  const { test, outbound: rules } = config;
  const guard = {
    ports: rules.ports,
    ownNetworks: rules.own_networks,
    allowedHosts: test?.allowed_hosts ?? [],
    resolve: test?.resolver === undefined ? systemResolve() : scriptedResolve(test.resolver),
  };
  return { files: createOutbound(guard), events: createOutbound({ ...guard, ca: readCa(config.webhooks) }) };
}

/** Makes each configured grant once per id, however often the configuration is read. */
async function grantConfigured(
  { accounts }: Config,
  ledger: Pick<Ledger, 'grant'>,
  atMs: number,
  log: Logger,
): Promise<void> {
  const grants = accounts.flatMap((account) =>
    account.grants.map(({ id, amount }) => ({ accountId: account.id, id, amount, note: null, atMs })),
  );
  const make = async (grant: Grant): Promise<void> => {
    if ((await ledger.grant(grant)) !== 'different') return;
    log.warn(
      { account: grant.accountId, grant: grant.id },
      'a grant of this id was made with another amount',
    );
  };
  await inSlices(grants, make);
}

function listen(server: Server, { listen: { host, port } }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new StartFailure(`Cannot listen: ${error.message}`, exitUsage)));
    server.listen(port, host, () => {
      resolve();
    });
  });
}
