import type { Logger } from 'pino';
import type { KeyRing } from '../access/key-ring.ts';
import type { Slots } from '../access/slots.ts';
import type { UsageReader } from '../billing/usage-reader.ts';
import type { UsageWriter } from '../billing/usage-writer.ts';
import type { Catalogue } from '../catalogue/chat-models.ts';
import type { Clock, TestClock } from '../clock.ts';
import type { Limits } from '../config.ts';
import type { Channels } from '../routing/channels.ts';
import type { StoreLink } from '../store/store-link.ts';
import type { UpstreamClient } from '../upstreams/client.ts';
import type { Running } from './running.ts';

/** Everything the endpoints work with; made once, in app.ts. */
export interface Gateway {
  readonly limits: Limits;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly slots: Slots;
  readonly channels: Channels;
  readonly running: Running;
  /** Which model stands in for which, by our ids. */
  readonly fallbacks: ReadonlyMap<string, string>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly upstreams: UpstreamClient;
  readonly usage: Pick<UsageWriter, 'write'>;
  readonly adminToken: string | null;
  /** Present only when the configuration allows the clock to be moved. */
  readonly clockHook: { readonly clock: TestClock; readonly token: string } | null;
  /** Present only when the configuration allows the database to be put out of reach. */
  readonly storeHook: { readonly link: StoreLink; readonly token: string } | null;
  /** Present only when the configuration allows to read what requests are billed by. */
  readonly usageHook: { readonly reader: UsageReader; readonly token: string } | null;
  /** A new random id with the prefix. */
  readonly newId: (prefix: string) => string;
  readonly log: Logger;
}
