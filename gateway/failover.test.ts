import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnServer, startOwnServer } from './testing/failover/own-server.ts';
import { runFailover } from './testing/failover/run-failover.ts';
import { server } from './testing/store/test-stores.ts';

const faults = ['stopped', 'read-only', 'connections cut', 'connections silent'] as const;
/** Generous limits for loaded machines; `testing/failover.ts` is strict. Silence is noticed later than an end. */
const longMs = (fault: (typeof faults)[number]): number => (fault === 'connections silent' ? 15_000 : 10_000);

// A machine that can start one test server can start a second one.
describe.skipIf(server.isMissing)('two gateways whose database fails', () => {
  let own: OwnServer;
  beforeAll(async () => {
    own = await startOwnServer();
  }, 60_000);
  afterAll(() => own.remove());

  it('answer with proper errors meanwhile, lose nothing, and serve again', { timeout: 180_000 }, async () => {
    const result = await runFailover({ server: own, faults, faultMs: 1_000, processes: 2, callers: 6 });
    expect(result.violations).toEqual([]);
    expect(result.longestMs).toBeLessThan(longMs('connections silent'));
    for (const felt of result.felt) {
      expect(felt.longestMs, felt.fault).toBeLessThan(longMs(felt.fault));
      expect(felt.backAfterMs, felt.fault).toBeLessThan(longMs(felt.fault));
      expect(felt.answered, felt.fault).toBeGreaterThan(0);
    }
    // Otherwise the faults had no effect.
    for (const felt of result.felt.slice(0, 2)) expect(felt.refused, felt.fault).toBeGreaterThan(0);
  });
});
