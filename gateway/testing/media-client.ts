import { RealClock } from '../clock.ts';
import { configSchema } from '../config.ts';
import { createUpstreamClient, type UpstreamClient } from '../upstreams/client.ts';

/** A client for tests of one dialect. One for upstreams that never answer need not be patient. */
export function mediaClient(patienceMs = 30_000): UpstreamClient {
  const limits = configSchema.shape.upstream.parse({ first_byte_timeout_ms: patienceMs });
  return createUpstreamClient(limits, new RealClock());
}
