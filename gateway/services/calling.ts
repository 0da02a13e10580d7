import type { Channels } from '../routing/channels.ts';
import type { UpstreamClient } from '../upstreams/client.ts';

/** What upstreams are called with. */
export interface Calling {
  readonly channels: Channels;
  /** Draws among equal channels, uniform in [0, 1). */
  readonly random: () => number;
  readonly upstreams: UpstreamClient;
}
