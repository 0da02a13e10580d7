import { TestClock } from '../clock.ts';
import { type BreakerLimits, type ChannelConfig, configSchema } from '../config.ts';
import type { SendReport } from '../routing/channel-report.ts';
import type { Channels } from '../routing/channels.ts';
import { createChannels } from '../routing/channels.ts';
import type { LiveChannel } from '../routing/live-channel.ts';

/** Channels `a`, `b`, … of one model, one per change, with their log. */
export interface TestChannels {
  readonly clock: TestClock;
  readonly log: object[];
  readonly all: readonly LiveChannel[];
  readonly channels: Channels;
}

export function testChannels(
  changes: readonly Partial<ChannelConfig>[],
  breaker: Partial<BreakerLimits> = {},
  report?: SendReport,
  clock = new TestClock(),
): TestChannels {
  const log: object[] = [];
  const config = configSchema.parse({
    listen: {},
    key_pepper: 'a pepper for tests',
    accounts: [{ id: 'acc', users: [{ id: 'usr' }], apps: [{ id: 'app' }], keys: [] }],
    breaker,
    channels: changes.map((change, i) => ({
      id: String.fromCharCode(97 + i),
      dialect: 'chat-completions',
      base_url: 'http://127.0.0.1:1',
      api_key: 'key',
      models: { 'delta-3': 'native' },
      ...change,
    })),
  });
  const channels = createChannels(config.channels, {
    breaker: config.breaker,
    report,
    maxCallMs: config.upstream.total_timeout_ms,
    clock,
    log: {
      warn: (line: object) => {
        log.push(line);
      },
    },
  });
  return { clock, log, all: channels.serving('delta-3', ['acc']), channels };
}

/** One channel, with its clock and its log. */
export function testChannel(
  change: Partial<ChannelConfig> = {},
): Pick<TestChannels, 'clock' | 'log'> & { readonly live: LiveChannel } {
  const { all, clock, log } = testChannels([change]);
  const [live] = all;
  if (live === undefined) throw new Error('no channel');
  return { live, clock, log };
}
