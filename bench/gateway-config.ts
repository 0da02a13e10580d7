import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativeModel } from './workloads.ts';

/** The key of the only caller. Its account has granted credits, and its cap is never reached. */
export const callerKey = 'sk-app-bench-0123456789abcdef0123456789abcdef';
/** One model per stream length. */
export const modelsByChunks: Readonly<Record<number, string>> = { 20: 'alpha-5-2', 2000: 'delta-3' };

/** Writes the configuration of a gateway with its data in `dir`; returns its path. */
export function writeGatewayConfig(
  dir: string,
  { upstream, store, slots }: { upstream: string; store: object; slots: 'memory' | 'database' | null },
): string {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, 'gateway.yaml');
  const models = Object.entries(modelsByChunks).map(([chunks, model]) => [
    model,
    nativeModel(Number(chunks)),
  ]);
  const config = {
    listen: { host: '127.0.0.1', port: 0 },
    store,
    ...(slots !== null && { slots }),
    key_pepper: 'the pepper of the bench',
    media: { dir: join(dir, 'media') },
    prices: {
      'alpha-5-2': { input: '1.75', output: '14', cached_percent: 10 },
      'delta-3': { input: '0.28', output: '0.42' },
    },
    accounts: [
      {
        id: 'bench',
        models: 'all',
        prepaid: true,
        grants: [{ id: 'opening', amount: '1000000' }],
        users: [{ id: 'caller', cap: 1000 }],
        apps: [{ id: 'load', markup_bp: 1500 }],
        keys: [{ id: 'one', user: 'caller', app: 'load', secret: callerKey }],
      },
    ],
    channels: [
      {
        id: 'upstream',
        dialect: 'chat-completions',
        base_url: `${upstream}/v1`,
        api_key: 'the-key-of-the-upstream',
        models: Object.fromEntries(models),
      },
    ],
  };
  // YAML accepts JSON.
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}
