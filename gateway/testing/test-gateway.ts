import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { stringify } from 'yaml';
import type { KeyRecord } from '../access/caller.ts';
import { keyHasher } from '../access/hash-key.ts';
import { type App, createApp } from '../app.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Admission, Hold } from '../billing/ledger.ts';
import { createLedgerReader } from '../billing/ledger-reader.ts';
import { createPriceList } from '../billing/price-list.ts';
import type { UsageRecord } from '../billing/usage-record.ts';
import { chatModels } from '../catalogue/chat-models.ts';
import { type MediaDialectName, mediaDialects } from '../catalogue/dialects.ts';
import { type MediaModel, mediaModels } from '../catalogue/media-models.ts';
import { TestClock } from '../clock.ts';
import { type AdminToken, adminTokensIn } from '../config/admin.ts';
import { priceRow } from '../config/list-price.ts';
import type { Config } from '../config.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createOutbound } from '../outbound/create-outbound.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { scriptedResolve } from '../outbound/resolve.ts';
import { readConfig } from '../read-config.ts';
import type { TaskWork } from '../services/tasks/task-work.ts';
import { onlyProcess } from '../siblings.ts';
import { memoryAudit } from './memory-audit.ts';
import { type MemoryFiles, memoryFiles } from './memory-files.ts';
import { type MemoryTasks, memoryTasks } from './memory-tasks.ts';
import { type MemoryWebhooks, memoryWebhooks } from './memory-webhooks.ts';
import { noDatabase } from './no-database.ts';
import { usageLog } from './usage-log.ts';
import { type Answer, read } from './wire.ts';

export const testKey = 'sk-app-test-key-one';
export const twinKey = 'sk-app-test-key-two';
export const otherKey = 'sk-app-other-account';
export const hookToken = 'hook-token';
export const adminToken = 'admin-token-of-the-tests-of-the-gateway';

type Json = Record<string, unknown>;

export interface TestGateway {
  readonly url: string;
  readonly port: number;
  readonly clock: TestClock;
  readonly app: App;
  /** The steps of tasks, for tests that run them manually; only if `tasks` are those of this gateway. */
  readonly work: TaskWork;
  readonly records: UsageRecord[];
  readonly logLines: Json[];
  /** Requests whose hold was released, and those whose hold was transferred to a task. */
  readonly released: string[];
  readonly entrusted: string[];
  /** The submitted tasks, unless the gateway was given other parts. */
  readonly tasks: MemoryTasks;
  /** The events of its tasks, unless the gateway was given other parts. */
  readonly webhooks: MemoryWebhooks;
  readonly files: MemoryFiles;
  /** Replaced by tests in which an account has no credit, or the hold fails or waits. */
  onHold: (hold: Hold) => Promise<Admission>;
  /** Replaced by tests in which recording fails or waits. */
  onWrite: (record: UsageRecord) => Promise<void>;
  /** Random draws among equal channels; by default the first channel. */
  random: () => number;
  /** POST to the endpoint for chat, images or tasks. */
  chat(body: unknown, key?: string): Promise<Answer>;
  images(body: unknown, key?: string): Promise<Answer>;
  submit(body: unknown, key?: string): Promise<Answer>;
  readTask(taskId: string, key?: string): Promise<Answer>;
  close(): Promise<void>;
}

/** Native names of the catalogue's models, and of `plain-1`, by the gateway's ids. */
function nativeNames(family: RegExp): Record<string, string> {
  const ids = [...chatModels.keys(), 'plain-1'].filter((id) => family.test(id));
  return Object.fromEntries(ids.map((id) => [id, `native-${id}`]));
}

/** The models that the upstreams of a dialect serve. */
function mediaNames(dialect: MediaDialectName): Record<string, string> {
  const isMadeBy = ({ id, served }: MediaModel): boolean => {
    if (served === 'images') return dialect === 'images';
    return dialect === (/^(?:journey|song|voice)-/.test(id) ? 'callback-jobs' : 'jobs');
  };
  const models = [...mediaModels.values()].filter(isMadeBy);
  return Object.fromEntries(models.map(({ id }) => [id, `native-${id}`]));
}

/**
 * A configuration that serves the whole catalogue over one upstream, with changes: one channel per dialect, and a text-only
 * model `plain-1`.
 */
export function testConfig(upstreamUrl: string, changes: Json = {}): Config {
  const reading = readConfig(
    stringify({
      listen: {},
      store: { data_dir: '/nowhere' },
      key_pepper: 'a pepper for tests',
      accounts: [
        {
          id: 'acc',
          users: [{ id: 'usr', cap: 3 }],
          apps: [{ id: 'app' }],
          keys: [
            { id: 'key-1', user: 'usr', app: 'app', secret: testKey },
            { id: 'key-2', user: 'usr', app: 'app', secret: twinKey },
          ],
        },
        {
          id: 'other',
          models: ['delta-3'],
          users: [{ id: 'other-usr', cap: 5 }],
          apps: [{ id: 'other-app' }],
          keys: [{ id: 'other-key', user: 'other-usr', app: 'other-app', secret: otherKey }],
        },
      ],
      admin: { token: adminToken },
      chat_models: [{ id: 'plain-1', context_tokens: 8000, capabilities: [] }],
      channels: [
        {
          id: 'ch-1',
          dialect: 'chat-completions',
          base_url: `${upstreamUrl}/v1`,
          api_key: 'upstream-secret',
          models: nativeNames(/^(?:alpha|delta|plain)-/),
        },
        {
          id: 'ch-beta',
          dialect: 'messages',
          base_url: `${upstreamUrl}/v1`,
          api_key: 'upstream-secret',
          models: nativeNames(/^beta-/),
        },
        {
          id: 'ch-gamma',
          dialect: 'generate-content',
          base_url: `${upstreamUrl}/v1beta`,
          api_key: 'upstream-secret',
          models: nativeNames(/^gamma-/),
        },
        ...mediaDialects.map((dialect) => ({
          id: `ch-${dialect}`,
          dialect,
          base_url: `${upstreamUrl}/v1`,
          api_key: 'upstream-secret',
          models: mediaNames(dialect),
        })),
      ],
      test: { clock: true, token: hookToken },
      ...changes,
    }),
    'test.yaml',
  );
  if ('faults' in reading) throw new Error(reading.faults.join('\n'));
  return reading.config;
}

/** The rows that the store would return for the keys of a configuration. */
function keyRecords(config: Config): KeyRecord[] {
  const hash = keyHasher(config.key_pepper);
  return config.accounts.flatMap((account) =>
    account.keys.map((key) => ({
      hash: hash(key.secret),
      id: key.id,
      account_id: account.id,
      user_id: key.user,
      app_id: key.app,
      cap: account.users.find((user) => user.id === key.user)?.cap ?? 3,
      models: account.models === 'all' ? null : account.models,
      disabled: key.disabled,
      expires_at_ms: key.expires_at ?? null,
      allow: key.allow,
      channels_of: account.channels_of ?? null,
      markup_bp: account.apps.find((app) => app.id === key.app)?.markup_bp ?? 0,
      model_markup_bp: account.apps.find((app) => app.id === key.app)?.model_markup_bp ?? {},
    })),
  );
}

function tokensOf({ admin }: Config): readonly AdminToken[] {
  const reading = adminTokensIn(admin, {});
  if ('faults' in reading) throw new Error(reading.faults.join('\n'));
  return reading.tokens;
}

/** The outbound connections that a configuration allows; names resolve only through its test resolver. */
export function testOutbound({ outbound: { ports, own_networks: ownNetworks }, test }: Config): Outbound {
  const allowedHosts = test?.allowed_hosts ?? [];
  return createOutbound({ ports, ownNetworks, allowedHosts, resolve: scriptedResolve(test?.resolver ?? {}) });
}

/** A complete gateway on a free port. It has an in-memory usage log instead of a store, unless it is given other parts. */
export async function startTestGateway(config: Config, parts: Partial<AppDeps> = {}): Promise<TestGateway> {
  const clock = new TestClock();
  const records: UsageRecord[] = [];
  const released: string[] = [];
  const entrusted: string[] = [];
  const tasks = memoryTasks();
  let steps: TaskWork | null = null;
  const randomId = (): string => randomBytes(18).toString('base64url');
  const files = memoryFiles(randomId);
  const webhooks = memoryWebhooks(() => (parts.clock ?? clock).now());
  const logLines: Json[] = [];
  const log = pino({ base: null }, { write: (line: string) => logLines.push(JSON.parse(line)) });
  const app = createApp({
    config,
    clock,
    steady: parts.clock ?? clock,
    adminTokens: tokensOf(config),
    audit: memoryAudit(),
    metrics: createMetrics(new Registry()),
    tracing: null,
    keys: keyRecords(config),
    ledger: {
      hold: (hold) => testGateway.onHold(hold),
      settle: (record) => testGateway.onWrite(record),
      release: async (requestId) => {
        released.push(requestId);
      },
      releaseOfTask: async (requestId) => {
        released.push(requestId);
      },
      entrust: (requestId) => {
        entrusted.push(requestId);
      },
      grant: async () => 'posted',
      correct: async () => 'posted',
    },
    settleAnswer: (record) => (parts.ledger ?? { settle: testGateway.onWrite }).settle(record),
    prices: createPriceList(Object.entries(config.prices).map(([id, price]) => priceRow(id, price))),
    usageReader: usageLog(records),
    ledgerReader: createLedgerReader(parts.db ?? noDatabase()),
    db: noDatabase(),
    checkStore: async () => {},
    instances: null,
    slotRecall: null,
    directoryPeers: null,
    outcomes: null,
    siblings: onlyProcess(),
    sharesStore: false,
    storeLink: null,
    tasks: (work) => {
      steps = work;
      return tasks;
    },
    webhooks,
    mediaFiles: files,
    outbound: testOutbound(config),
    randomId,
    random: () => testGateway.random(),
    log,
    ...parts,
  });
  await new Promise<void>((resolve) => app.server.listen(0, config.listen.host, resolve));
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const testGateway: TestGateway = {
    url,
    port,
    clock,
    app,
    get work() {
      if (steps === null) throw new Error('this gateway was given other tasks');
      return steps;
    },
    records,
    logLines,
    random: () => 0,
    released,
    entrusted,
    tasks,
    webhooks,
    files,
    onHold: async () => 'held',
    onWrite: async (record) => {
      records.push(record);
    },
    chat: (body, key = testKey) => read(`${url}/api/v1/chat/completions`, { method: 'POST', key, body }),
    images: (body, key = testKey) => read(`${url}/api/v1/images/generations`, { method: 'POST', key, body }),
    submit: (body, key = testKey) => read(`${url}/api/v1/tasks`, { method: 'POST', key, body }),
    readTask: (taskId, key = testKey) => read(`${url}/api/v1/tasks/${taskId}`, { key }),
    close: async () => {
      app.server.closeAllConnections();
      await new Promise<void>((resolve) => app.server.close(() => resolve()));
      await app.close();
    },
  };
  return testGateway;
}
