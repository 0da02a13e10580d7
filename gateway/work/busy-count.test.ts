import { expect, it } from 'vitest';
import { createBusyCount } from './busy-count.ts';

it('reports ids with more calls than the limit within this second or the last', () => {
  let now = 0;
  const count = createBusyCount({ monotonic: () => now }, 2);
  for (let call = 0; call < 3; call += 1) count.add('busy');
  count.add('quiet');
  count.add('quiet');
  expect([count.isBusy('busy'), count.isBusy('quiet'), count.isBusy('unknown')]).toEqual([
    true,
    false,
    false,
  ]);
  now = 1_000;
  expect(count.isBusy('busy')).toBe(true);
  now = 2_000;
  expect(count.isBusy('busy')).toBe(false);
});

it('forgets everything after two seconds without calls', () => {
  let now = 0;
  const count = createBusyCount({ monotonic: () => now }, 0);
  count.add('one');
  now = 2_000;
  expect(count.isBusy('one')).toBe(false);
});
