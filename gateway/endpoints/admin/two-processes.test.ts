import { describe, expect, it } from 'vitest';
import { adminClient } from '../../testing/admin-client.ts';
import { completion, startFakeUpstream } from '../../testing/fake-upstream.ts';
import { server } from '../../testing/store/test-stores.ts';
import { startStoredGateway, testPrices } from '../../testing/stored-gateway.ts';
import { testConfig } from '../../testing/test-gateway.ts';

// Two gateways need a database server.
describe.skipIf(server.isMissing)('two gateways on one server', () => {
  it('apply a change made at either from the next request on', async () => {
    const upstream = await startFakeUpstream();
    upstream.fallback = completion('Hello');
    const place = await server.fresh();
    const config = testConfig(upstream.url, { prices: testPrices });
    const one = await startStoredGateway(config, place?.place);
    const other = await startStoredGateway(config, place?.place);
    const ask = async (): Promise<string> => {
      const body = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };
      return (await other.chat(body)).json.error?.code ?? 'ok';
    };
    const admin = adminClient(one.url);
    expect(await ask()).toBe('ok');
    await admin('POST', '/channels/ch-1/drain');
    expect(await ask()).toBe('channel_outage');
    await admin('POST', '/channels/ch-1/restore');
    expect(await ask()).toBe('ok');
    await admin('PATCH', '/keys/key-1', { disabled: true });
    expect(await ask()).toBe('sk_disabled');
    await admin('PATCH', '/keys/key-1', { disabled: false, allow: ['203.0.113.0/24'] });
    expect(await ask()).toBe('ip_not_allowed');
    await admin('DELETE', '/keys/key-1');
    expect(await ask()).toBe('invalid_api_key');
    await admin('PUT', '/prices/delta-3', { input: '7', output: '7' });
    expect(other.prices.of('delta-3').input).toBe(7_000_000n);
    // The other process sees a row that a concurrent transaction has inserted.
    const twin = adminClient(other.url);
    const [a, b] = await Promise.all([
      admin('POST', '/accounts', { id: 'same' }),
      twin('POST', '/accounts', { id: 'same' }),
    ]);
    expect([a.status, b.status].sort()).toEqual([201, 400]);
    await other.close();
    await one.close();
    await place?.remove();
    await upstream.close();
  }, 120_000);
});
