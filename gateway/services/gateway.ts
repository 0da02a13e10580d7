import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { CallerAddress } from '../access/caller-address.ts';
import type { Directory } from '../access/directory.ts';
import type { KeyRing } from '../access/key-ring.ts';
import type { Slots } from '../access/slots.ts';
import type { Ledger } from '../billing/ledger.ts';
import type { LedgerReader } from '../billing/ledger-reader.ts';
import type { PriceList } from '../billing/price-list.ts';
import type { UsageReader } from '../billing/usage-reader.ts';
import type { Catalogue } from '../catalogue/chat-models.ts';
import type { Clock, TestClock } from '../clock.ts';
import type { Limits, TaskLimits, WebhookLimits } from '../config.ts';
import type { Running } from '../http/running.ts';
import type { MediaFiles } from '../media/media-files.ts';
import type { UrlRules } from '../requests/media/https-url.ts';
import type { Channels } from '../routing/channels.ts';
import type { Database } from '../store/database.ts';
import type { StoreLink } from '../store/store-link.ts';
import type { ExpiringSet } from '../tasks/expiring-set.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { UpstreamClient } from '../upstreams/client.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** Everything the endpoints work with; made once, in app.ts. */
export interface Gateway {
  readonly limits: Limits;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly keys: KeyRing;
  /** What stands for the secret of a key in the database. */
  readonly hashKey: (secret: string) => string;
  readonly db: Kysely<Database>;
  readonly directory: Directory;
  /** Whose address counts for the allow-list of a key. */
  readonly callerAddress: CallerAddress;
  readonly slots: Slots;
  readonly channels: Channels;
  readonly running: Running;
  /** Which model stands in for which, by our ids. */
  readonly fallbacks: ReadonlyMap<string, string>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly upstreams: UpstreamClient;
  readonly ledger: Omit<Ledger, 'drain'>;
  readonly ledgerReader: LedgerReader;
  readonly usageReader: UsageReader;
  readonly prices: PriceList;
  readonly tasks: Tasks;
  /** The events that tell how tasks ended. */
  readonly webhooks: Webhooks;
  readonly webhookLimits: WebhookLimits;
  readonly taskLimits: TaskLimits;
  /** What holds for the URLs that requests name. */
  readonly urlRules: UrlRules;
  /** What was made for callers and is kept. */
  readonly mediaFiles: MediaFiles;
  /** Largest file that is taken from an upstream. */
  readonly maxMediaBytes: number;
  /** Where callers read a kept file. */
  readonly linkTo: (file: string) => string;
  /** Where the upstream of a channel reports back. */
  readonly callbackTo: (channelId: string) => string;
  /** Callbacks that were taken lately, by channel and id: each counts once. */
  readonly seenCallbacks: ExpiringSet;
  readonly adminToken: string | null;
  /** Present only when the configuration allows the clock to be moved. */
  readonly clockHook: { readonly clock: TestClock; readonly token: string } | null;
  /** Present only when the configuration allows the database to be put out of reach. */
  readonly storeHook: { readonly link: StoreLink; readonly token: string } | null;
  /** Present only when the configuration allows to read what requests are billed by. */
  readonly usageHook: { readonly reader: UsageReader; readonly token: string } | null;
  /** Present only when the configuration allows to read what was entered for requests. */
  readonly ledgerHook: { readonly reader: LedgerReader; readonly token: string } | null;
  /** Present only when the configuration allows accounts to be made and changed for tests. */
  readonly accountsHook: { readonly token: string } | null;
  /** A new random id of at least 128 bits with the prefix. */
  readonly newId: (prefix: string) => string;
  readonly log: Logger;
}
