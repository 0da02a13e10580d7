import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { noDatabase } from '../testing/no-database.ts';
import { silentLog } from '../testing/store/test-stores.ts';
import { createSoleInstance } from './instances.ts';
import { createLeftOvers } from './left-overs.ts';

it('come in time however often something cannot be written meanwhile', async () => {
  const timer = new TestClock();
  const sole = createSoleInstance('gw_sick');
  let looks = 0;
  const leftOvers = createLeftOvers({
    db: noDatabase(),
    instances: {
      ...sole,
      forEachGone: async () => {
        looks += 1;
        throw new Error('the database is sick');
      },
    },
    timer,
    log: { ...silentLog, info: () => {} },
    isLive: () => true,
    release: async () => {},
  });
  for (let n = 0; n < 200; n += 1) {
    leftOvers.expect();
    await timer.advance(500);
  }
  // After 1, 2, 4, 8, 16 and then every 30 seconds: six or seven in a hundred.
  expect(looks).toBeGreaterThanOrEqual(6);
  expect(looks).toBeLessThanOrEqual(8);
  await leftOvers.close();
});
