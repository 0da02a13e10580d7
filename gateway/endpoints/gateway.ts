import type { Logger } from 'pino';
import type { KeyRing } from '../access/key-ring.ts';
import type { Slots } from '../access/slots.ts';
import type { UsageWriter } from '../billing/usage-writer.ts';
import type { Catalogue } from '../catalogue/chat-models.ts';
import type { Clock, TestClock } from '../clock.ts';
import type { Limits } from '../config.ts';
import type { Channels } from '../routing/channels.ts';
import type { UpstreamClient } from '../upstreams/client.ts';

/** Everything the endpoints work with; made once, in app.ts. */
export interface Gateway {
  readonly limits: Limits;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly slots: Slots;
  readonly channels: Channels;
  readonly upstreams: UpstreamClient;
  readonly usage: Pick<UsageWriter, 'write'>;
  readonly adminToken: string | null;
  /** Present only when the configuration allows the clock to be moved. */
  readonly clockHook: { readonly clock: TestClock; readonly token: string } | null;
  /** A new random id with the prefix. */
  readonly newId: (prefix: string) => string;
  readonly log: Logger;
}
