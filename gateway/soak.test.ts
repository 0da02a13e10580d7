import { expect, it } from 'vitest';
import { handlesOf, runSoak } from './testing/load/run-soak.ts';
import { sized } from './testing/sized.ts';
import { storeKinds } from './testing/store/test-stores.ts';

const forMs = sized(10_000, 60_000);
/** Idle database and upstream connections open and close during the run. */
const slack = 5;

// The soak command measures speed and memory growth: see soak.ts.
it.each(storeKinds.slice(-1))(
  'a gateway on a store of kind $name answers as it should beside faults, and lets go of everything when the load is over',
  { timeout: forMs + 120_000 },
  async ({ fresh }) => {
    const { place, remove } = await fresh();
    const options = { place, forMs, rate: 20, faults: 0.05, streams: 5, seed: 1, onSample: () => {} };
    const result = await runSoak(options).finally(remove);
    expect(result.unexpected).toEqual([]);
    expect(result.left).toEqual({ slots: 0, held: '0' });
    expect(handlesOf(result.after)).toBeLessThanOrEqual(handlesOf(result.before) + slack);
    expect(result.answers.get('200')).toBeGreaterThan(0);
    expect([...result.answers.keys()].filter((status) => status !== '200')).not.toEqual([]);
    expect(result.samples.length).toBeGreaterThan(1);
    expect(result.exitCode).toBe(0);
  },
);
