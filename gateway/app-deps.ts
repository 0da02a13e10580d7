import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { KeyRecord } from './access/caller.ts';
import type { DirectoryPeers } from './access/directory-peers.ts';
import type { SlotRecall } from './access/kept-slots.ts';
import type { AuditTrail } from './admin/audit-trail.ts';
import type { Ledger } from './billing/ledger.ts';
import type { LedgerReader } from './billing/ledger-reader.ts';
import type { PriceList } from './billing/price-list.ts';
import type { UsageReader } from './billing/usage-reader.ts';
import type { Clock } from './clock.ts';
import type { AdminToken } from './config/admin.ts';
import type { Config } from './config.ts';
import type { MediaFiles } from './media/media-files.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { OutcomesElsewhere } from './routing/outcomes-elsewhere.ts';
import type { TaskEvents } from './services/tasks/task-events.ts';
import type { TaskWork } from './services/tasks/task-work.ts';
import type { Tasks } from './services/tasks/tasks.ts';
import type { Siblings } from './siblings.ts';
import type { Database } from './store/database.ts';
import type { StoreLink } from './store/store-link.ts';
import type { Tracing } from './tracing/tracing.ts';
import type { EventSink, Webhooks } from './webhooks/webhooks.ts';
import type { Instances } from './work/instances.ts';

export interface AppDeps<RunTasks extends Tasks = Tasks> {
  readonly config: Config;
  readonly clock: Clock;
  /** The clock for due times of tasks and events; jumps of the wall clock do not affect it. */
  readonly steady: Clock;
  readonly adminTokens: readonly AdminToken[];
  readonly audit: AuditTrail;
  readonly metrics: Metrics;
  /** Null without tracing. */
  readonly tracing: Tracing | null;
  readonly keys: readonly KeyRecord[];
  readonly ledger: Omit<Ledger, 'drain'>;
  /** Settles answers, which may wait on disk while the database is away; tasks wait for the database themselves. */
  readonly settleAnswer: Ledger['settle'];
  readonly prices: PriceList;
  /** Creates the tasks with access to the parts of the gateway that they use. Called once. */
  readonly tasks: (work: TaskWork, events: TaskEvents) => RunTasks;
  /** The events that report to callers how tasks ended. */
  readonly webhooks: Webhooks & EventSink;
  readonly mediaFiles: MediaFiles;
  /** Connections to URLs that callers and upstreams name. */
  readonly outbound: Outbound;
  readonly ledgerReader: LedgerReader;
  readonly usageReader: UsageReader;
  readonly db: Kysely<Database>;
  /** Resolves when the database answers and accepts writes. */
  readonly checkStore: () => Promise<void>;
  /** Which processes that share the database are gone; null when unknown. */
  readonly instances: Instances | null;
  /** How the processes that share the database ask each other for slots; null with a single process. */
  readonly slotRecall: SlotRecall | null;
  /** How processes share the outcomes of their calls by channel; null with a single process. */
  readonly outcomes: OutcomesElsewhere | null;
  /** How processes keep their keys and prices in step; null with a single process. */
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
