import type { Server } from 'node:http';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { KeyRecord } from './access/caller.ts';
import { callerAddress } from './access/caller-address.ts';
import { createDirectory } from './access/directory.ts';
import { keyHasher } from './access/hash-key.ts';
import { createKeyRing } from './access/key-ring.ts';
import { createLeaseSlots } from './access/lease-slots.ts';
import { createMemorySlots, type Slots } from './access/slots.ts';
import type { Ledger } from './billing/ledger.ts';
import type { LedgerReader } from './billing/ledger-reader.ts';
import type { PriceList } from './billing/price-list.ts';
import type { UsageReader } from './billing/usage-reader.ts';
import { catalogueWith } from './catalogue/chat-models.ts';
import { type Clock, RealClock, TestClock } from './clock.ts';
import type { Config } from './config.ts';
import { callbackPath } from './endpoints/callbacks/callbacks.ts';
import { createRouter } from './endpoints/routes.ts';
import { serve } from './endpoints/serve.ts';
import { ownUrl } from './http/own-url.ts';
import { Running } from './http/running.ts';
import { createHttpServer } from './http/server.ts';
import type { MediaFiles } from './media/media-files.ts';
import type { Outbound } from './outbound/outbound.ts';
import { createChannels } from './routing/channels.ts';
import type { Gateway } from './services/gateway.ts';
import { createTaskEnds } from './services/tasks/task-ends.ts';
import { createTaskWork } from './services/tasks/work.ts';
import type { Database } from './store/database.ts';
import type { StoreLink } from './store/store-link.ts';
import { ExpiringSet } from './tasks/expiring-set.ts';
import type { TaskEnds } from './tasks/task-ends.ts';
import type { TaskWork } from './tasks/task-work.ts';
import type { Tasks } from './tasks/tasks.ts';
import { createUpstreamClient } from './upstreams/client.ts';
import type { EventKeeper, Webhooks } from './webhooks/webhooks.ts';

export interface AppDeps<RunTasks extends Tasks = Tasks> {
  readonly config: Config;
  readonly clock: Clock;
  readonly keys: readonly KeyRecord[];
  readonly ledger: Omit<Ledger, 'drain'>;
  readonly prices: PriceList;
  /** Makes the tasks, given what they need of the rest of the gateway; called once. */
  readonly tasks: (work: TaskWork, ends: TaskEnds) => RunTasks;
  /** The events that tell how tasks ended. */
  readonly webhooks: Webhooks & EventKeeper;
  readonly mediaFiles: MediaFiles;
  /** The way to what callers and upstreams name. */
  readonly outbound: Outbound;
  readonly ledgerReader: LedgerReader;
  readonly usageReader: UsageReader;
  readonly db: Kysely<Database>;
  /** Whether other processes may change the database, too. */
  readonly sharesStore: boolean;
  /** The way to the database, when the configuration allows it to be cut; null otherwise. */
  readonly storeLink: StoreLink | null;
  /** Source of randomness: an id of at least 128 bits in URL-safe letters. */
  readonly randomId: () => string;
  /** Source of draws, uniform in [0, 1). */
  readonly random: () => number;
  readonly log: Logger;
}

export interface App<RunTasks extends Tasks = Tasks> {
  readonly server: Server;
  readonly gateway: Gateway;
  readonly tasks: RunTasks;
  /** Ends every connection to upstreams. */
  close(): Promise<void>;
}

/** A request lasts at most so many attempts, each after a wait, and its own reading; a slot that is older was forgotten. */
const MOST_ATTEMPTS = 4;
const SLOT_SLACK_MS = 120_000;
/** What a call may last beyond its own deadline. */
const CALL_SLACK_MS = 5_000;
/** Callbacks that are remembered: for as long as one can be fresh, from five minutes ahead to five minutes old. */
const MOST_CALLBACKS = 10_000;
const CALLBACKS_KEPT_MS = 601_000;

/** Puts the gateway together. It does not listen yet. */
export function createApp<RunTasks extends Tasks>(deps: AppDeps<RunTasks>): App<RunTasks> {
  const { config, clock, log, storeLink } = deps;
  const { test } = config;
  const newId = (prefix: string): string => prefix + deps.randomId();
  const publicUrl = (): string => config.public_url ?? ownUrl(server, config.listen.host);
  const hashKey = keyHasher(config.key_pepper);
  const keys = createKeyRing(deps.keys, hashKey);
  const channels = createChannels(config.channels, {
    breaker: config.breaker,
    maxCallMs: config.upstream.total_timeout_ms + CALL_SLACK_MS,
    clock,
    log,
  });
  const directory = createDirectory({
    db: deps.db,
    keys,
    prices: deps.prices,
    channels,
    onFailure: (cause) => log.warn({ cause }, 'changes of other processes could not be read'),
  });
  const watch = directory.watch(deps.sharesStore, new RealClock());
  // Tasks work through the gateway that they are a part of.
  const linkTo = (file: string): string => `${publicUrl()}/media/${file}`;
  const tasks = deps.tasks(
    createTaskWork(() => gateway),
    createTaskEnds(deps.webhooks, linkTo),
  );
  const gateway: Gateway = {
    limits: config.limits,
    catalogue: catalogueWith(config.chat_models),
    clock,
    keys,
    hashKey,
    db: deps.db,
    directory,
    callerAddress: callerAddress(config.trusted_proxies),
    slots: createSlots(deps, () => newId('slot_')),
    channels,
    running: new Running(),
    fallbacks: new Map(Object.entries(config.fallbacks)),
    random: deps.random,
    upstreams: createUpstreamClient(config.upstream, clock, deps.outbound),
    ledger: deps.ledger,
    prices: deps.prices,
    tasks,
    webhooks: deps.webhooks,
    webhookLimits: config.webhooks,
    taskLimits: config.tasks,
    urlRules: {
      takesPrivate: test !== undefined,
      refuseWebhook: (url) => deps.outbound.refuse(url, 'webhook'),
    },
    mediaFiles: deps.mediaFiles,
    maxMediaBytes: config.media.most_bytes,
    linkTo,
    callbackTo: (channelId) => `${publicUrl()}${callbackPath(channelId)}`,
    seenCallbacks: new ExpiringSet(MOST_CALLBACKS, CALLBACKS_KEPT_MS, clock),
    adminToken: config.admin?.token ?? null,
    clockHook: test?.clock === true && clock instanceof TestClock ? { clock, token: test.token } : null,
    storeHook: test?.store === true && storeLink !== null ? { link: storeLink, token: test.token } : null,
    usageHook: test?.usage === true ? { reader: deps.usageReader, token: test.token } : null,
    ledgerHook: test?.ledger === true ? { reader: deps.ledgerReader, token: test.token } : null,
    ledgerReader: deps.ledgerReader,
    usageReader: deps.usageReader,
    accountsHook: test?.accounts === true ? { token: test.token } : null,
    newId,
    log,
  };
  const server = createHttpServer({
    limits: config.limits,
    clock,
    newRequestId: () => newId('req_'),
    route: createRouter(gateway),
    refuse: (exchange, refusal) => {
      void serve(exchange, gateway, 'none', () => {
        throw refusal;
      });
    },
    logFault: (requestId, { status, code }) => {
      log.info({ request_id: requestId, route: 'none', status, code, ms: 0, key_id: null }, 'request');
    },
  });
  const close = (): Promise<void> => {
    watch.stop();
    return gateway.upstreams.close();
  };
  return { server, gateway, tasks, close };
}

/** Several gateways on one server count together, through the database; a gateway that is alone counts by itself. */
function createSlots({ config, clock, db, sharesStore, log }: AppDeps, newId: () => string): Slots {
  const place = config.slots ?? (sharesStore ? 'database' : 'memory');
  const queueWaitMs = Math.max(0, ...config.channels.map((channel) => channel.queue_wait_ms));
  const maxMs =
    MOST_ATTEMPTS * (config.upstream.total_timeout_ms + queueWaitMs) +
    2 * config.limits.body_timeout_ms +
    SLOT_SLACK_MS;
  if (place === 'database') return createLeaseSlots({ db, clock: new RealClock(), newId, log, maxMs });
  return createMemorySlots(clock, newId, maxMs);
}
