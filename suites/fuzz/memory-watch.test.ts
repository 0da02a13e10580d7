import { expect, it } from 'vitest';
import { growthIn, type MemorySample, residentMb, watchMemory } from './memory-watch.ts';

const samplesOf = (part: MemorySample['part'], mbs: readonly number[]): MemorySample[] =>
  mbs.map((mb, at) => ({ part, progress: at / mbs.length, mb }));

it('counts growth from a warm process to the end, and no single peak', () => {
  const warmingUp = [60, 100, 180, 230, 250, 900, 250, 250];
  const steady = Array.from({ length: 32 }, (_, at) => (at === 30 ? 700 : 255));
  expect(growthIn(samplesOf('fields', [...warmingUp, ...steady]), 'fields')).toBe(5);
  const leaking = Array.from({ length: 100 }, (_, at) => 200 + 2 * at);
  expect(growthIn(samplesOf('fields', leaking), 'fields')).toBe(160);
});

it('tells the parts of a run apart, and says nothing of one that was too short', () => {
  const samples = [
    ...samplesOf('costs', [1, 300, 300, 300, 300, 300, 300, 300, 300, 400]),
    ...samplesOf('fields', [400, 400]),
  ];
  expect(growthIn(samples, 'costs')).toBe(100);
  expect(growthIn(samples, 'fields')).toBeNull();
});

it('watches a process, and none where there is none', () => {
  const watch = watchMemory(process.pid);
  watch.reached('fields', 1);
  const own = residentMb(process.pid);
  expect(watch.end()?.before_mb ?? null).toBeCloseTo(own ?? Number.NaN, -2.5);
  expect(watchMemory(undefined).end()).toBeNull();
});
