import { expect, it } from 'vitest';
import { ForeignTraffic } from '../engine/foreign-traffic.ts';
import type { WireClient } from '../wire/client.ts';
import { quietAccount } from './quiet-account.ts';

/** A client whose account has no free slot for its first calls. */
function clientRefused(times: number): WireClient {
  let calls = 0;
  const send = async (): Promise<object> => {
    calls += 1;
    const [status, code] = calls <= times ? [429, 'concurrency_exceeded'] : [400, 'invalid_param'];
    const body = Buffer.from(JSON.stringify({ error: { code } }));
    return { response: { status, complete: true, body, headers: [['content-type', 'application/json']] } };
  };
  return { send } as unknown as WireClient;
}

it('sees others who have the slots while nothing of the run is under way, and waits until they pause', async () => {
  const traffic = new ForeignTraffic();
  const { signal } = new AbortController();
  const waitedMs = await quietAccount(clientRefused(2), 'k', { traffic, signal });
  expect(traffic.sightings).toBe(2);
  expect(waitedMs).toBeGreaterThan(600);
});

it('does not take the rest of a call of the run for others', async () => {
  const traffic = new ForeignTraffic(0, () => 0);
  traffic.begin()(null);
  await quietAccount(clientRefused(1), 'k', { traffic, signal: new AbortController().signal });
  expect(traffic.sightings).toBe(0);
});
