import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { noDatabase } from '../testing/no-database.ts';
import { silentLog } from '../testing/store/test-stores.ts';
import { createSoleInstance } from '../work/instances.ts';
import { createHoldReaper } from './hold-reaper.ts';
import { LiveRequests } from './live-requests.ts';

it('the hold reaper checks in time, however often other writes fail', async () => {
  const timer = new TestClock();
  const sole = createSoleInstance('gw_sick');
  let polls = 0;
  const holdReaper = createHoldReaper({
    db: noDatabase(),
    instances: {
      ...sole,
      forEachGone: async () => {
        polls += 1;
        throw new Error('the database is sick');
      },
    },
    timer,
    log: { ...silentLog, info: () => {} },
    live: new LiveRequests(),
    release: async () => {},
  });
  for (let n = 0; n < 200; n += 1) {
    holdReaper.expect();
    await timer.advance(500);
  }
  // After 1, 2, 4, 8 and 16 seconds, then every 30: six or seven checks in a hundred seconds.
  expect(polls).toBeGreaterThanOrEqual(6);
  expect(polls).toBeLessThanOrEqual(8);
  await holdReaper.close();
});
