import { expect, it } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

const taken = (bucket: TokenBucket, ...times: number[]): boolean[] =>
  times.map((nowMs) => bucket.take(nowMs));

it('admits a burst at once, and no larger one after a long pause', () => {
  const bucket = new TokenBucket({ perSecond: 10, burst: 2 }, 0);
  expect(taken(bucket, 0, 0, 0, 100, 100)).toEqual([true, true, false, true, false]);
  expect(taken(bucket, 60_000, 60_000, 60_000)).toEqual([true, true, false]);
});

it('is punctual for fractions of seconds that are not exact', () => {
  const bucket = new TokenBucket({ perSecond: 3, burst: 1 }, 0);
  const times = Array.from({ length: 300 }, (_, at) => (at * 1000) / 3);
  expect(taken(bucket, ...times).every(Boolean)).toBe(true);
});
