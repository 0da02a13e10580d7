import type { Server } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { callerAddress } from './access/caller-address.ts';
import { createSlots } from './access/create-slots.ts';
import { createDirectory, type Directory } from './access/directory.ts';
import { keyHasher } from './access/hash-key.ts';
import { createKeyRing, type KeyRing } from './access/key-ring.ts';
import type { Slots } from './access/slots.ts';
import type { AppDeps } from './app-deps.ts';
import { catalogueWith } from './catalogue/chat-models.ts';
import { type Clock, RealClock } from './clock.ts';
import { adminEndpoints } from './endpoints/admin/admin-endpoints.ts';
import { guardAdmin } from './endpoints/admin/guard-admin.ts';
import { adminRoutes } from './endpoints/admin/routes.ts';
import { callbackPath } from './endpoints/callbacks/callbacks.ts';
import { createReadiness, healthRoutes, type Readiness } from './endpoints/health.ts';
import { showMetrics } from './endpoints/metrics.ts';
import { createRouter } from './endpoints/router.ts';
import { businessRoutes, publicRoutes } from './endpoints/routes.ts';
import { serve } from './endpoints/serve.ts';
import { hookRoutes } from './hooks/routes.ts';
import { ownUrl } from './http/own-url.ts';
import { Running } from './http/running.ts';
import { createHttpServer } from './http/server.ts';
import { type Channels, createChannels } from './routing/channels.ts';
import {
  administration,
  businessParts,
  type Common,
  guessesOf,
  jobService,
  testHooks,
} from './service-parts.ts';
import { accountProbe } from './services/chat/account-probe.ts';
import { accountLook } from './services/tasks/account-look.ts';
import type { JobService } from './services/tasks/job-service.ts';
import { createTaskEvents } from './services/tasks/task-events.ts';
import type { Tasks } from './services/tasks/tasks.ts';
import { createTaskWork } from './services/tasks/work.ts';
import { ExpiringSet } from './tasks/expiring-set.ts';
import { AbandonedCalls } from './upstreams/abandoned-calls.ts';
import { createUpstreamClient } from './upstreams/client.ts';

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
  /** The upstream calls that go on without their callers. */
  readonly abandoned: AbandonedCalls;
  /** Closes every connection to upstreams, and releases slots kept for later requests. */
  close(): Promise<void>;
}

/** A body is in memory up to four times: as bytes, as text, as values, as what goes to the upstream. */
const bodiesPart = 4;
/** How long a call may continue after its own deadline. */
const callSlackMs = 5_000;
/**
 * How many callbacks are remembered, and for how long: the whole time in which one counts as fresh, from five minutes ahead
 * to five minutes old.
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
  const readiness = createReadiness(parts.checkStore, clock, config.listen.leave_ms);
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
  const { abandoned } = common;
  return { server, clock, tasks, directory, keys, channels, slots, readiness, running, abandoned, close };
}

function createCommon(parts: AppDeps, publicUrl: () => string): Common {
  const { config, clock, log } = parts;
  const newId = (prefix: string): string => prefix + parts.randomId();
  const upstreams = createUpstreamClient(config.upstream, clock, parts.outbound);
  const catalogue = catalogueWith(config.chat_models);
  const hashKey = keyHasher(config.key_pepper);
  const keys = createKeyRing(parts.keys, hashKey);
  const probe = accountProbe({ upstreams, newId, clock, catalogue });
  const look = accountLook({ upstreams, newId });
  const channels = createChannels(config.channels, {
    report: parts.outcomes?.report,
    probe: async (live) => (await probe(live)) ?? look(live.channel),
    breaker: config.breaker,
    maxCallMs: config.upstream.total_timeout_ms + callSlackMs,
    clock,
    log,
  });
  parts.outcomes?.learnFor(channels);
  return {
    catalogue,
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
    abandoned: new AbandonedCalls(config.abandoned_calls, clock),
    newId,
    linkTo: (file) => `${publicUrl()}/media/${file}`,
    callbackTo: (channelId) => `${publicUrl()}${callbackPath(channelId)}`,
  };
}
