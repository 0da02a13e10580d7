import type { Config } from '../config.ts';
import { testConfig } from './test-gateway.ts';

/** A configuration with one priced model for each dialect of media, all on one upstream. */
export function pricedMedia(upstreamUrl: string): Config {
  const channel = (dialect: string, models: Readonly<Record<string, string>>): object => ({
    ...{ id: `ch-${dialect}`, dialect, models },
    ...{ base_url: `${upstreamUrl}/v1`, api_key: 'upstream-secret' },
  });
  return testConfig('', {
    chat_models: [],
    channels: [
      channel('images', { 'alpha-image-2': 'a2-image-2026-08' }),
      channel('jobs', { vidB2: 'vidB2-native' }),
      channel('callback-jobs', { 'song-v5': 'song-5-native' }),
    ],
    prices: {
      'alpha-image-2': { per_image: { low: '0.04', medium: '0.07', high: '0.17', auto: '0.07' } },
      vidB2: { per_second: '0.1' },
      'song-v5': { per_second: '0.1' },
    },
  });
}
