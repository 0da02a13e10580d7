import { RealClock } from '../clock.ts';
import { configSchema } from '../config.ts';
import { createOutbound } from '../outbound/create-outbound.ts';
import { scriptedResolve } from '../outbound/resolve.ts';
import { createUpstreamClient, type UpstreamClient } from '../upstreams/client.ts';

/** A client for tests of one dialect. One for upstreams that never answer need not be patient. */
export function mediaClient(timeoutMs = 30_000): UpstreamClient {
  const limits = configSchema.shape.upstream.parse({ first_byte_timeout_ms: timeoutMs });
  const outbound = createOutbound({ ports: [], allowedHosts: [], resolve: scriptedResolve({}) });
  return createUpstreamClient(limits, new RealClock(), outbound);
}
