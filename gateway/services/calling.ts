import type { Channels } from '../routing/channels.ts';
import type { UpstreamClient } from '../upstreams/client.ts';

/** Dependencies of calls to upstreams. */
export interface Calling {
  readonly channels: Channels;
  /** Chooses among equal channels; uniform in [0, 1). */
  readonly random: () => number;
  readonly upstreams: UpstreamClient;
}
