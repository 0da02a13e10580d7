import { rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { adminClient } from './testing/admin-client.ts';
import { runGateway } from './testing/gateway-process.ts';
import { freshCluster } from './testing/store/test-stores.ts';
import { adminToken } from './testing/test-gateway.ts';

it('keeps a drained channel out of use after the process was killed', {
  timeout: 120_000,
}, async () => {
  const { place, remove } = await freshCluster();
  const config = `${place.dataDir}.yaml`;
  writeFileSync(
    config,
    stringify({
      listen: { port: 0 },
      store: { data_dir: place.dataDir },
      key_pepper: 'a pepper for tests',
      admin: { token: adminToken },
      accounts: [],
      channels: ['one', 'two'].map((id) => ({
        id,
        dialect: 'chat-completions',
        base_url: 'http://127.0.0.1:1',
        api_key: 'key',
        models: { 'delta-3': 'native' },
      })),
    }),
  );
  const first = await runGateway(['--config', config]);
  expect((await adminClient(first.url)('POST', '/channels/one/drain')).json.drained).toBe(true);
  first.stop('SIGKILL');
  await first.exit;
  const second = await runGateway(['--config', config]);
  const { data } = (await adminClient(second.url)('GET', '/channels')).json;
  expect(data).toMatchObject([
    { id: 'one', drained: true },
    { id: 'two', drained: false },
  ]);
  second.stop('SIGTERM');
  await second.exit;
  rmSync(config);
  await remove();
});
