import { afterAll, beforeAll } from 'vitest';
import { RealClock } from '../clock.ts';
import { configSchema } from '../config.ts';
import { createOutbound } from '../outbound/create-outbound.ts';
import { scriptedResolve } from '../outbound/resolve.ts';
import { createUpstreamClient, type UpstreamClient } from '../upstreams/client.ts';
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts';

/** An upstream client for tests of one dialect. Tests with upstreams that never answer set a short timeout. */
export function mediaClient(timeoutMs = 30_000): UpstreamClient {
  const limits = configSchema.shape.upstream.parse({ first_byte_timeout_ms: timeoutMs });
  const outbound = createOutbound({ ports: [], allowedHosts: [], resolve: scriptedResolve({}) });
  return createUpstreamClient(limits, new RealClock(), outbound);
}

/** An upstream and a client that asks it. */
export interface AskedUpstream {
  readonly upstream: FakeUpstream;
  readonly client: UpstreamClient;
}

/** Starts both once for the file, and ends them after it. */
export function askedUpstreamOfFile(hand: (ends: AskedUpstream) => void): void {
  let ends: AskedUpstream;
  beforeAll(async () => {
    ends = { upstream: await startFakeUpstream(), client: mediaClient() };
    hand(ends);
  });
  afterAll(async () => {
    await ends.client.close();
    await ends.upstream.close();
  });
}
