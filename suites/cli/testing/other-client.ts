import { setTimeout as wait } from 'node:timers/promises';
import { SimulatorControl } from 'gatecheck-simulators/client';
import type { Profile } from '../../profile/profile.ts';

const marker = 'gcotherclient';

/** How long a burst of another client holds each slot, and the pause between two bursts, ms. */
const burstMs = 1_000;
const pauseMs = 1_000;
/** How soon a burst call without a slot is retried, ms. Once it gets one, other clients find none. */
const againMs = 10;

/** A separate client with the same key: bursts that fill the cap for a second, and pauses. */
export interface OtherClient {
  /** How many of its calls were served so far. */
  readonly served: number;
  stop(): Promise<void>;
}

/** Starts such a client for a stack with known simulated upstreams. */
export async function startOtherClient({
  base_url: url,
  keys,
  cap,
  upstream,
}: Profile): Promise<OtherClient> {
  if (upstream === undefined) throw new Error('the client needs slow upstreams');
  const control = new SimulatorControl(upstream.control);
  await control.tenant('default').script({ marker, replies: [{ pacing: { first_ms: burstMs } }] });
  const over = new AbortController();
  let served = 0;
  const call = async (): Promise<void> => {
    while (!(await isServed())) await wait(againMs, undefined, { signal: over.signal });
    served += 1;
  };
  const isServed = async (): Promise<boolean> => {
    const body = { model: 'alpha-5-2', messages: [{ role: 'user', content: `Hold on. [${marker}]` }] };
    const answer = await fetch(`${url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.K1}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: over.signal,
    });
    await answer.arrayBuffer();
    return answer.ok;
  };
  const burst = async (): Promise<void> => {
    await Promise.all(Array.from({ length: cap.value }, call));
    await wait(pauseMs, undefined, { signal: over.signal });
  };
  const work = (async () => {
    while (!over.signal.aborted) await burst().catch(() => undefined);
  })();
  return {
    get served() {
      return served;
    },
    stop: async () => {
      over.abort();
      await work;
      await control.close();
    },
  };
}
