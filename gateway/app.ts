import type { Server } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { KeyRecord } from './access/caller.ts';
import { type CallerAddress, callerAddress } from './access/caller-address.ts';
import { createSlots } from './access/create-slots.ts';
import { createDirectory, type Directory } from './access/directory.ts';
import type { DirectoryPeers } from './access/directory-peers.ts';
import { keyHasher } from './access/hash-key.ts';
import type { SlotRecall } from './access/kept-slots.ts';
import type { KeyRing } from './access/key-ring.ts';
import { createKeyRing } from './access/key-ring.ts';
import type { Slots } from './access/slots.ts';
import type { AuditTrail } from './admin/audit-trail.ts';
import { Guesses } from './admin/guesses.ts';
import type { Ledger } from './billing/ledger.ts';
import type { LedgerReader } from './billing/ledger-reader.ts';
import type { PriceList } from './billing/price-list.ts';
import type { UsageReader } from './billing/usage-reader.ts';
import { type Catalogue, catalogueWith } from './catalogue/chat-models.ts';
import { type Clock, RealClock, TestClock } from './clock.ts';
import { type AdminToken, usualGuesses } from './config/admin.ts';
import type { Config } from './config.ts';
import { adminEndpoints } from './endpoints/admin/admin-endpoints.ts';
import type { Administration } from './endpoints/admin/administration.ts';
import { guardAdmin } from './endpoints/admin/guard-admin.ts';
import { adminRoutes } from './endpoints/admin/routes.ts';
import { callbackPath } from './endpoints/callbacks/callbacks.ts';
import { createReadiness, healthRoutes, pingOf, type Readiness } from './endpoints/health.ts';
import { showMetrics } from './endpoints/metrics.ts';
import { createRouter } from './endpoints/router.ts';
import { type BusinessDeps, businessRoutes, publicRoutes } from './endpoints/routes.ts';
import { serve } from './endpoints/serve.ts';
import { hookRoutes, type TestHooks } from './hooks/routes.ts';
import { ownUrl } from './http/own-url.ts';
import { Running } from './http/running.ts';
import { createHttpServer } from './http/server.ts';
import type { MediaFiles } from './media/media-files.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { Channels } from './routing/channels.ts';
import { createChannels } from './routing/channels.ts';
import type { OutcomesElsewhere } from './routing/outcomes-elsewhere.ts';
import type { JobService } from './services/tasks/job-service.ts';
import { createTaskEvents, type TaskEvents } from './services/tasks/task-events.ts';
import type { TaskWork } from './services/tasks/task-work.ts';
import type { Tasks } from './services/tasks/tasks.ts';
import { createTaskWork } from './services/tasks/work.ts';
import type { Siblings } from './siblings.ts';
import type { Database } from './store/database.ts';
import type { StoreLink } from './store/store-link.ts';
import { ExpiringSet } from './tasks/expiring-set.ts';
import type { Tracing } from './tracing/tracing.ts';
import { createUpstreamClient, type UpstreamClient } from './upstreams/client.ts';
import type { EventSink, Webhooks } from './webhooks/webhooks.ts';
import type { Instances } from './work/instances.ts';

export interface AppDeps<RunTasks extends Tasks = Tasks> {
  readonly config: Config;
  readonly clock: Clock;
  readonly adminTokens: readonly AdminToken[];
  readonly audit: AuditTrail;
  readonly metrics: Metrics;
  /** Null where nobody asked for traces. */
  readonly tracing: Tracing | null;
  readonly keys: readonly KeyRecord[];
  readonly ledger: Omit<Ledger, 'drain'>;
  readonly prices: PriceList;
  /** Creates the tasks from what they need of the rest of the gateway. Called once. */
  readonly tasks: (work: TaskWork, events: TaskEvents) => RunTasks;
  /** The events that report to callers how tasks ended. */
  readonly webhooks: Webhooks & EventSink;
  readonly mediaFiles: MediaFiles;
  /** Connections to URLs that callers and upstreams name. */
  readonly outbound: Outbound;
  readonly ledgerReader: LedgerReader;
  readonly usageReader: UsageReader;
  readonly db: Kysely<Database>;
  /** Which processes that share the database are gone; null where nobody can tell. */
  readonly instances: Instances | null;
  /** How the processes that share the database ask each other for slots; null where there is but one. */
  readonly slotRecall: SlotRecall | null;
  /** How they tell each other what calls say about channels; null where there is but one. */
  readonly outcomes: OutcomesElsewhere | null;
  /** How they keep their keys and prices in step; null where there is but one. */
  readonly directoryPeers: DirectoryPeers | null;
  /** Whether other processes may also change the database. */
  readonly sharesStore: boolean;
  /** The connection to the database, if the configuration allows tests to cut it; null otherwise. */
  readonly storeLink: StoreLink | null;
  /** The worker processes of this gateway. */
  readonly siblings: Siblings;
  /** Returns a random id of at least 128 bits in URL-safe characters. */
  readonly randomId: () => string;
  /** Returns a random number, uniform in [0, 1). */
  readonly random: () => number;
  readonly log: Logger;
}

export interface App<RunTasks extends Tasks = Tasks> {
  readonly server: Server;
  readonly clock: Clock;
  readonly tasks: RunTasks;
  /** Loads keys, prices and drained channels into memory. */
  readonly directory: Directory;
  readonly keys: KeyRing;
  readonly channels: Channels;
  readonly slots: Slots;
  /** Whether load balancers should send it requests. */
  readonly readiness: Readiness;
  /** Counts the exchanges in progress. */
  readonly running: Running;
  /** Closes every connection to upstreams, and gives back what is kept for requests to come. */
  close(): Promise<void>;
}

/** A body is in memory up to four times: as bytes, as text, as values, as what goes to the upstream. */
const bodiesPart = 4;
/** How long a call may continue after its own deadline. */
const callSlackMs = 5_000;
/**
 * How many callbacks are remembered, and for how long: as long as one can be fresh, from five minutes ahead to
 * five minutes old.
 */
const maxCallbacks = 10_000;
const callbacksKeptMs = 601_000;

/** Assembles the gateway. The server does not listen yet. */
export function createApp<RunTasks extends Tasks>(parts: AppDeps<RunTasks>): App<RunTasks> {
  const { config, clock, log } = parts;
  const common = createCommon(parts, () => config.public_url ?? ownUrl(server, config.listen.host));
  const { keys, channels, slots, directory, upstreams, newId } = common;
  const watch = directory.watch();
  const findTask: JobService['findTask'] = (accountId, taskId) => tasks.find(accountId, taskId);
  const tasks = parts.tasks(
    createTaskWork(jobService(parts, common, findTask), parts.tracing),
    createTaskEvents(parts.webhooks, common.linkTo),
  );
  const guard = guardAdmin({ ...common, tokens: parts.adminTokens, guesses: guessesOf(parts) });
  const readiness = createReadiness(pingOf(parts.db), clock, config.listen.leave_ms);
  const serving = { running: new Running(), log, metrics: parts.metrics, tracing: parts.tracing };
  const routes = [
    ...businessRoutes(businessParts(parts, common, tasks)),
    ...publicRoutes(parts.mediaFiles, {
      channels,
      tasks,
      seen: new ExpiringSet(maxCallbacks, callbacksKeptMs, clock),
    }),
    ...hookRoutes(testHooks(parts, common, tasks)),
    ...healthRoutes(readiness),
    { path: '/metrics', guard, endpoints: { GET: showMetrics(parts.metrics) } },
    ...adminEndpoints(adminRoutes, administration(parts, common, tasks), guard),
  ];
  const server = createHttpServer({
    limits: config.limits,
    inFlightBytes: getHeapStatistics().heap_size_limit / bodiesPart,
    clock,
    newRequestId: () => newId('req_'),
    isLeaving: readiness.isLeaving,
    route: createRouter(routes, guard, serving),
    refuse: (exchange, refusal) => {
      void serve(exchange, serving, 'none', () => {
        throw refusal;
      });
    },
    logFault: (requestId, { status, code }) => {
      log.info({ request_id: requestId, route: 'none', status, code, ms: 0, key_id: null }, 'request');
    },
  });
  const close = async (): Promise<void> => {
    await watch.stop();
    await slots.close();
    await upstreams.close();
  };
  const { running } = serving;
  return { server, clock, tasks, directory, keys, channels, slots, readiness, running, close };
}

/** What several services share. Created once. */
interface Common {
  readonly catalogue: Catalogue;
  readonly keys: KeyRing;
  readonly hashKey: (secret: string) => string;
  readonly directory: Directory;
  readonly channels: Channels;
  readonly slots: Slots;
  readonly upstreams: UpstreamClient;
  readonly callerAddress: CallerAddress;
  readonly newId: (prefix: string) => string;
  readonly linkTo: (file: string) => string;
  readonly callbackTo: (channelId: string) => string;
}

function createCommon(parts: AppDeps, publicUrl: () => string): Common {
  const { config, clock, log } = parts;
  const newId = (prefix: string): string => prefix + parts.randomId();
  const upstreams = createUpstreamClient(config.upstream, clock, parts.outbound);
  const hashKey = keyHasher(config.key_pepper);
  const keys = createKeyRing(parts.keys, hashKey);
  const channels = createChannels(config.channels, {
    tell: parts.outcomes?.tell,
    breaker: config.breaker,
    maxCallMs: config.upstream.total_timeout_ms + callSlackMs,
    clock,
    log,
  });
  parts.outcomes?.hearFor(channels);
  return {
    catalogue: catalogueWith(config.chat_models),
    keys,
    hashKey,
    directory: createDirectory({
      db: parts.db,
      keys,
      prices: parts.prices,
      channels,
      peers: parts.directoryPeers,
      timer: new RealClock(),
      onFailure: (cause) => log.warn({ cause }, 'changes of other processes could not be read'),
    }),
    channels,
    slots: createSlots(parts, () => newId('slot_')),
    upstreams: parts.tracing?.attempts(upstreams) ?? upstreams,
    callerAddress: callerAddress(config.trusted_proxies),
    newId,
    linkTo: (file) => `${publicUrl()}/media/${file}`,
    callbackTo: (channelId) => `${publicUrl()}${callbackPath(channelId)}`,
  };
}

function jobService(
  { config, clock, log, ledger, random, mediaFiles }: AppDeps,
  { channels, upstreams, callbackTo }: Common,
  findTask: JobService['findTask'],
): JobService {
  const maxMediaBytes = config.media.most_bytes;
  return { channels, random, upstreams, mediaFiles, maxMediaBytes, callbackTo, findTask, ledger, clock, log };
}

function businessParts(parts: AppDeps, common: Common, tasks: Tasks): BusinessDeps {
  const { config, clock, log, ledger, metrics, prices, random, mediaFiles, outbound } = parts;
  const { keys, directory, slots, channels, upstreams, catalogue, newId, linkTo } = common;
  const maxMediaBytes = config.media.most_bytes;
  const fallbacks = new Map(Object.entries(config.fallbacks));
  return {
    access: { keys, directory, slots, callerAddress: common.callerAddress },
    chat: { catalogue, channels, fallbacks, random, upstreams, ledger, prices, clock, newId, log, metrics },
    images: { channels, random, upstreams, mediaFiles, maxMediaBytes, linkTo, ledger, prices, clock },
    tasks: { tasks, channels, ledger, prices, deadlineMs: config.tasks.deadline_ms, linkTo, newId, clock },
    urlRules: outbound,
    ledgerReader: parts.ledgerReader,
    extensions: config.extensions,
  };
}

function administration(parts: AppDeps, common: Common, tasks: Tasks): Administration {
  const { config, clock, db, audit, log, ledger, ledgerReader, usageReader, webhooks } = parts;
  const { catalogue, directory, hashKey, newId, channels, slots, linkTo } = common;
  const onAuditFailure = (cause: unknown): void =>
    log.error({ cause }, 'a line of the audit trail could not be completed');
  const changes = { db, directory, catalogue, hashKey, newId, audit, onAuditFailure };
  const books = { ledger, ledgerReader, usageReader };
  const webhookOverlapMs = config.webhooks.overlap_ms;
  return { ...changes, ...books, channels, slots, tasks, webhooks, webhookOverlapMs, linkTo, clock };
}

/** Wrong admin tokens by the address that they came from, which is as far as the log shows them. */
function guessesOf({ config, clock, log, metrics }: AppDeps): Guesses {
  return new Guesses({
    clock,
    limits: config.admin?.guesses ?? usualGuesses,
    onGuess: metrics.wrongAdminToken,
    onGuesses: (address, guesses) =>
      log.warn({ address, guesses }, 'wrong admin tokens came from an address'),
  });
}

/** The test hooks that the configuration enables; null where it is not a test configuration. */
function testHooks(parts: AppDeps, common: Common, tasks: Tasks): TestHooks | null {
  const { clock, db, ledger, ledgerReader, usageReader, webhooks, storeLink, siblings } = parts;
  const { test } = parts.config;
  if (test === undefined) return null;
  const { catalogue, directory, hashKey, newId, keys } = common;
  return {
    token: test.token,
    siblings,
    clock: test.clock && clock instanceof TestClock ? { clock, tasks, webhooks } : null,
    store: test.store ? storeLink : null,
    usage: test.usage ? usageReader : null,
    ledger: test.ledger ? ledgerReader : null,
    accounts: test.accounts ? { db, directory, catalogue, hashKey, newId, keys, ledger, clock } : null,
  };
}
