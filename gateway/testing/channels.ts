import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts';
import { startTestGateway, type TestGateway, testConfig } from './test-gateway.ts';

/** A gateway with a separate upstream for each channel. */
export interface ManyEnds {
  readonly gateway: TestGateway;
  readonly upstreams: readonly FakeUpstream[];
  close(): Promise<void>;
}

/** A concurrency cap so high that no test reaches it. */
const cap = 1000;

/**
 * Starts upstreams `a`, `b`, … and a gateway that serves `delta-3` over all of them. Each channel gets the changes at its
 * index; a channel may name other `models`. `changes` apply to the configuration.
 */
export async function startManyEnds(
  channels: readonly Record<string, unknown>[],
  changes: Record<string, unknown> = {},
): Promise<ManyEnds> {
  const upstreams = await Promise.all(channels.map(() => startFakeUpstream()));
  const config = testConfig('', {
    channels: channels.map((channel, i) => ({
      id: String.fromCharCode(97 + i),
      dialect: 'chat-completions',
      base_url: `${upstreams[i]?.url}/v1`,
      api_key: 'upstream-secret',
      models: { 'delta-3': 'native-delta-3' },
      ...channel,
    })),
    ...changes,
  });
  for (const { users } of config.accounts) for (const user of users) user.cap = cap;
  const gateway = await startTestGateway(config);
  const close = async (): Promise<void> => {
    await gateway.close();
    await Promise.all(upstreams.map((upstream) => upstream.close()));
  };
  return { gateway, upstreams, close };
}

/** A channel whose upstream sends callbacks. */
export function studioAt(upstreamUrl: string) {
  return {
    id: 'studio',
    dialect: 'callback-jobs',
    base_url: `${upstreamUrl}/v1`,
    api_key: 'upstream-secret',
    models: { 'voice-v3': 'native' },
    callbacks: true,
  };
}
