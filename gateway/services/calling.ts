import type { Channels } from '../routing/channels.ts';
import type { UpstreamClient } from '../upstreams/client.ts';
import type { Standing } from '../work/instances.ts';

/** Dependencies of calls to upstreams. */
export interface Calling {
  readonly channels: Channels;
  /** Chooses among equal channels; uniform in [0, 1). */
  readonly random: () => number;
  readonly upstreams: UpstreamClient;
  readonly standing: Standing;
}
