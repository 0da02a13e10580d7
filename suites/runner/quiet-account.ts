import { setTimeout as wait } from 'node:timers/promises';
import { type ForeignTraffic, isByCap } from '../engine/foreign-traffic.ts';
import { chatRequest } from '../engine/requests.ts';
import type { WireClient } from '../wire/client.ts';

/** How long an account has to be quiet, and the longest wait for that, ms. */
const quietMs = 600;
const withinMs = 30_000;
const lookEachMs = 200;

/**
 * Waits until a shared account has had a free slot for a while, so that a check which is judged alone begins between
 * the calls of others. It asks by calls that are refused and free, up to a limit. The run has no other call in flight
 * then, so a taken slot proves that others use the account.
 * @returns how long it took, ms
 */
export async function quietAccount(
  client: WireClient,
  key: string,
  { traffic, signal }: { readonly traffic: Pick<ForeignTraffic, 'begin'>; readonly signal: AbortSignal },
): Promise<number> {
  const start = performance.now();
  let quietSince = start;
  while (performance.now() - start < withinMs) {
    const ends = traffic.begin();
    const exchange = await client.send({ ...chatRequest({}, { label: 'is a slot free?' }, key), signal });
    ends(exchange);
    const now = performance.now();
    if (isByCap(exchange)) quietSince = now;
    else if (now - quietSince >= quietMs) break;
    await wait(lookEachMs, undefined, { signal });
  }
  return performance.now() - start;
}
