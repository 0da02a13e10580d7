import { pino } from 'pino';
import { createKeptSlots, type SlotRecall } from '../../../access/kept-slots.ts';
import type { KeyRing } from '../../../access/key-ring.ts';
import { createLeaseSlots } from '../../../access/lease-slots.ts';
import { createMemorySlots, type Slots } from '../../../access/slots.ts';
import { createLedger, type StoredLedger } from '../../../billing/create-ledger.ts';
import { createSoleInstance, type Instances } from '../../../billing/instances.ts';
import { createLockedInstances } from '../../../billing/locked-instances.ts';
import { createPriceList } from '../../../billing/price-list.ts';
import { catalogueWith } from '../../../catalogue/chat-models.ts';
import type { Clock } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import { takeCallback } from '../../../endpoints/callbacks/callbacks.ts';
import { chatIn } from '../../../endpoints/chat/chat.ts';
import { createRouter } from '../../../endpoints/router.ts';
import { readTask } from '../../../endpoints/tasks/read.ts';
import { submitEndpoint } from '../../../endpoints/tasks/submit.ts';
import type { Exchange } from '../../../http/exchange.ts';
import { Running } from '../../../http/running.ts';
import type { MediaFiles } from '../../../media/media-files.ts';
import type { Outbound } from '../../../outbound/outbound.ts';
import { chatCompletionsAdapter } from '../../../protocols/chat-completions/adapter.ts';
import { type Channels, createChannels } from '../../../routing/channels.ts';
import { createTaskEnds } from '../../../services/tasks/task-ends.ts';
import { createTaskWork } from '../../../services/tasks/work.ts';
import { createTasks, type RunningTasks } from '../../../tasks/create-tasks.ts';
import { ExpiringSet } from '../../../tasks/expiring-set.ts';
import type { UpstreamClient } from '../../../upstreams/client.ts';
import { createWebhooks, type RunningWebhooks } from '../../../webhooks/create-webhooks.ts';
import type { Seal } from '../../../webhooks/seal.ts';
import type { SendEvent } from '../../../webhooks/send-event.ts';
import type { Planted, PlantedParts } from '../planted/planted.ts';
import type { ProcessStore } from '../store/memory-dialect.ts';
import { prices } from './prices.ts';
import { publicUrl } from './scenario.ts';

/** A change of a breaker's state, as the log tells it. */
export interface BreakerLine {
  readonly channel: string;
  readonly model: string;
  readonly from: string;
  readonly to: string;
}

export interface GatewayParts {
  /** The unique id of the process. */
  readonly own: string;
  readonly config: Config;
  readonly keys: KeyRing;
  readonly store: ProcessStore;
  /** Whether other processes share the store. */
  readonly isShared: boolean;
  /** How processes ask each other for slots. */
  readonly recall: SlotRecall;
  readonly clock: Clock;
  readonly upstreams: UpstreamClient;
  readonly send: SendEvent;
  readonly files: MediaFiles;
  readonly seal: Seal;
  readonly random: () => number;
  readonly newId: (prefix: string) => string;
  readonly onBreaker: (line: BreakerLine) => void;
  readonly planted: Planted | null;
}

/** One process of the gateway, made of its real parts. */
export interface SimulatedGateway {
  readonly own: string;
  readonly slots: Slots;
  readonly channels: Channels;
  /** Resolves when it takes requests. */
  open(): Promise<void>;
  serve(exchange: Exchange): void;
}

const silent = pino({ enabled: false });
const slotsLastMs = 600_000;
/** Batches of the ledger in flight at once where processes share a store, as in main.ts. */
const sharedBatches = 3;
const maxCallMs = 35_000;

/** One object for all processes, because the schemas of a request are kept by it. */
const wayOut: Outbound = {
  refuse: () => null,
  connect: () => {
    throw new Error('nothing is dialled in a simulation');
  },
};

/** Assembles a process as main.ts and app.ts do, with a store, a network and a clock in memory. */
export function createGateway(parts: GatewayParts): SimulatedGateway {
  const { own, config, store, clock, planted } = parts;
  const means: PlantedParts = { own, clock, store, newId: parts.newId };
  const wrapped = <Part>(part: Part, wrap: ((part: Part, means: PlantedParts) => Part) | undefined): Part =>
    wrap === undefined ? part : wrap(part, means);
  const instances = parts.isShared ? createLockedInstances(store.db, own) : createSoleInstance(own);
  const plainLedger = createLedger({
    db: store.db,
    instances,
    clock,
    timer: clock,
    log: silent,
    batchesInFlight: parts.isShared ? sharedBatches : 1,
  });
  const ledger = wrapped(plainLedger, planted?.ledger);
  const channels = createChannels(config.channels, {
    breaker: config.breaker,
    maxCallMs,
    clock,
    log: { warn: (line: object) => parts.onBreaker(line as BreakerLine) },
  });
  const shared = {
    ...{ db: store.db, own, clock, timer: clock, log: silent },
    forEachGone: parts.isShared ? instances.forEachGone : null,
  };
  const webhooks = createWebhooks({
    ...shared,
    limits: config.webhooks,
    retentionMs: config.tasks.retention_ms,
    outbound: wayOut,
    send: wrapped(parts.send, planted?.send),
    seal: parts.seal,
    newId: parts.newId,
    random: parts.random,
    onAttempt: () => {},
  });
  const tasks = createTasks({
    ...shared,
    work: wrapped(
      createTaskWork(
        jobService(parts, channels, ledger, () => tasks),
        null,
      ),
      planted?.work,
    ),
    ends: wrapped(createTaskEnds(webhooks, linkTo), planted?.ends),
    limits: config.tasks,
    removeOldFiles: () => webhooks.forgetOld(),
  });
  const slots = wrapped(createSlots(parts, instances), planted?.slots);
  return {
    own,
    slots,
    channels,
    open: () => openAll(ledger, tasks, webhooks),
    serve: router(parts, { channels, ledger, tasks, slots }),
  };
}

const linkTo = (file: string): string => `${publicUrl}/media/${file}`;

async function openAll(ledger: StoredLedger, tasks: RunningTasks, webhooks: RunningWebhooks): Promise<void> {
  await ledger.open();
  await tasks.open();
  await webhooks.open();
}

function jobService(
  { config, clock, upstreams, files: mediaFiles, random }: GatewayParts,
  channels: Channels,
  ledger: StoredLedger,
  tasks: () => RunningTasks,
): Parameters<typeof createTaskWork>[0] {
  return {
    ...{ channels, random, upstreams, mediaFiles, ledger, clock, log: silent },
    maxMediaBytes: config.media.most_bytes,
    callbackTo: (channelId) => `${publicUrl}/callbacks/${channelId}`,
    findTask: (accountId, taskId) => tasks().find(accountId, taskId),
  };
}

function createSlots(
  { store, clock, isShared, newId, recall, planted }: GatewayParts,
  instances: Instances,
): Slots {
  const name = (): string => newId('slot_');
  if (!isShared) return createMemorySlots(clock, name, slotsLastMs);
  const common = { db: store.db, clock, newId: name, log: silent, maxMs: slotsLastMs };
  const { areLeft = false, lastMs } = planted?.leases ?? {};
  const leaseMs = lastMs === undefined ? {} : { leaseMs: lastMs };
  const holders = areLeft ? { ...instances, forEachGone: async () => {} } : instances;
  return createKeptSlots(createLeaseSlots({ ...common, holders, ...leaseMs }), recall, clock);
}

interface Routed {
  readonly channels: Channels;
  readonly ledger: StoredLedger;
  readonly tasks: RunningTasks;
  readonly slots: Slots;
}

function router(
  parts: GatewayParts,
  { channels, ledger, tasks, slots }: Routed,
): (exchange: Exchange) => void {
  const { config, clock, random, upstreams, newId } = parts;
  const access = {
    ...{ keys: parts.keys, slots, callerAddress: (peer: string) => peer },
    directory: { isFresh: true, look: async () => {} },
  };
  const priceList = createPriceList(prices);
  const chat = {
    ...{
      catalogue: catalogueWith([]),
      channels,
      random,
      upstreams,
      ledger,
      prices: priceList,
      clock,
      newId,
      log: silent,
      metrics: { unknownEnding: () => {}, doubtfulUsage: () => {} },
    },
    fallbacks: new Map(Object.entries(config.fallbacks)),
  };
  const service = {
    ...{ tasks, channels, ledger, prices: priceList, linkTo, newId, clock },
    deadlineMs: config.tasks.deadline_ms,
  };
  const seen = new ExpiringSet(1000, 601_000, clock);
  const urlRules = wayOut;
  return createRouter(
    [
      {
        path: '/api/v1/chat/completions',
        endpoints: { POST: chatIn(chatCompletionsAdapter, { access, service: chat, urlRules }) },
      },
      { path: '/api/v1/tasks', endpoints: { POST: submitEndpoint({ access, service, urlRules }) } },
      { path: '/api/v1/tasks/:task_id', endpoints: { GET: readTask({ access, service }) } },
      { path: '/callbacks/:channel', endpoints: { POST: takeCallback({ channels, tasks, seen }) } },
    ],
    () => {},
    { running: new Running(), log: silent, metrics: { answered: () => {} }, tracing: null },
  );
}
