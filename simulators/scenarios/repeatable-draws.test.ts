import { expect, it } from 'vitest';
import type { Scenario } from '../control/client.ts';
import { postChat } from '../testing/post-chat.ts';
import { type TestSimulators, useSimulators } from '../testing/simulators.ts';

/** The same scenario in three sets of simulators, one per concurrency, and in one with another seed. */
const levels = [1, 8, 64].map((concurrency) => ({ concurrency, simulators: useSimulators({ seed: 11 }) }));
const other = useSimulators({ seed: 12 });

const scenario: Scenario = {
  name: 'mixed',
  channels: {
    '*': {
      latency: { first_ms: { log_normal: { median: 2, sigma: 0.8, cap: 15 } }, each_ms: 0 },
      faults: [
        { reply: { status: 500 }, rate: 0.2 },
        { reply: { status: 429 }, rate: 0.2 },
      ],
    },
  },
};

const scopes = ['scope-a', 'scope-b', 'scope-c'];
const channels = ['alpha', 'beta'];
const callsEach = 32;

/** The draws and their outcomes, by tenant, route and number. */
async function outcomes(
  { base, control }: TestSimulators,
  concurrency: number,
): Promise<Map<string, unknown>> {
  for (const scope of scopes) {
    await control.tenant(scope).play({ scenario });
    await control.tenant(scope).addFault({ reply: { headers: { 'x-armed': 'yes' } }, rate: 0.3 });
  }
  const bases = Array.from({ length: callsEach }, () =>
    scopes.flatMap((scope) => channels.map((channel) => base(scope, channel))),
  ).flat();
  // Every concurrency also has its own order of requests.
  const queue = concurrency === 8 ? bases.toReversed() : bases;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) await postChat(next, {});
    }),
  );
  const found = new Map<string, unknown>();
  for (const scope of scopes) {
    const { entries } = await control.tenant(scope).journal({ ended: callsEach * channels.length });
    for (const { reply } of entries) {
      const { draws, status } = reply;
      found.set(`${draws?.tenant} ${draws?.route} ${draws?.nth}`, [
        draws?.drawn,
        draws?.disturbed_by,
        status,
      ]);
    }
  }
  return found;
}

it('gives the same draws by tenant, route and number at concurrency 1, 8 and 64, and others with another seed', async () => {
  const [alone, few, many] = await Promise.all(
    levels.map(({ simulators, concurrency }) => outcomes(simulators, concurrency)),
  );
  expect(alone?.size).toBe(scopes.length * channels.length * callsEach);
  expect(few).toEqual(alone);
  expect(many).toEqual(alone);
  // The outcomes include every kind, so equality is not trivial.
  const all = JSON.stringify([...(alone ?? [])]);
  for (const word of ['rate-0', 'share', 'first_ms', 'fault-1', 'faults[0]', 'faults[1]', 'null']) {
    expect(all).toContain(word);
  }
  expect(await outcomes(other, 64)).not.toEqual(alone);
});
