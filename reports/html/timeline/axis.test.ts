import { expect, it } from 'vitest';
import { axisOf } from './axis.ts';

it('places times in order and to scale', () => {
  const { place, from, to, cuts } = axisOf([
    { from: 100, to: 200 },
    { from: 150, to: 300 },
  ]);
  expect([from, to, cuts]).toEqual([100, 300, []]);
  expect([100, 150, 200, 300].map(place)).toEqual([0, 250, 500, 1000]);
});

it('shortens a long pause, and places times within it between its ends', () => {
  const { place, cuts } = axisOf([
    { from: 0, to: 100 },
    { from: 1_800_000, to: 1_800_100 },
  ]);
  expect(cuts).toHaveLength(1);
  expect(place(100)).toBeGreaterThan(400);
  expect(place(1_800_000) - place(100)).toBeLessThan(100);
  expect(place(900_000)).toBeGreaterThan(place(100));
  expect(place(900_000)).toBeLessThan(place(1_800_000));
});

it.each([{ spans: [] }, { spans: [{ from: 5, to: 5 }] }])(
  'places times even without any duration: %j',
  ({ spans }) => {
    const { place } = axisOf(spans);
    for (const ms of [-10, 0, 5, 1e12]) {
      expect(place(ms)).toBeGreaterThanOrEqual(0);
      expect(place(ms)).toBeLessThanOrEqual(1000);
    }
  },
);
