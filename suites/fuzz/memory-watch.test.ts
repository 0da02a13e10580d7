import { expect, it } from 'vitest';
import { residentMb } from './held-memory.ts';
import { growthIn, type MemorySample, watchMemory } from './memory-watch.ts';

const samplesOf = (part: MemorySample['part'], mbs: readonly number[]): MemorySample[] =>
  mbs.map((mb, at) => ({ part, progress: at / mbs.length, mb }));

it('counts growth of the minimum that a warm process holds, but no garbage', () => {
  const warmingUp = [60, 100, 180, 230, 250, 900, 250, 250];
  const steady = Array.from({ length: 32 }, (_, at) => (at === 30 ? 700 : 255));
  expect(growthIn(samplesOf('fields', [...warmingUp, ...steady]), 'fields')).toBe(0);
  const leaking = Array.from({ length: 100 }, (_, at) => 200 + 2 * at);
  expect(growthIn(samplesOf('fields', leaking), 'fields')).toBe(120);
  // Load raises the memory between collections, but not the minimum after them.
  const sawtooth = Array.from({ length: 200 }, (_, at) => 500 + (at % 10) * (at < 100 ? 8 : 40));
  expect(growthIn(samplesOf('fields', sawtooth), 'fields')).toBe(0);
  const leakingToo = sawtooth.map((mb, at) => mb + at);
  expect(growthIn(samplesOf('fields', leakingToo), 'fields')).toBe(120);
});

it('separates the parts of a run, and returns null for one that was too short', () => {
  const samples = [
    ...samplesOf('costs', [1, 300, 300, 300, 300, 300, 300, 300, 400, 400]),
    ...samplesOf('fields', [410, 420]),
  ];
  expect(growthIn(samples, 'costs')).toBe(100);
  // Memory that is released later was not leaked.
  expect(growthIn([...samples, ...samplesOf('fields', [320])], 'costs')).toBe(20);
  expect(growthIn(samples, 'fields')).toBeNull();
});

it('watches a process by its id, and nothing without one', async () => {
  const watch = watchMemory(process.pid);
  watch.reached('fields', 1);
  const own = residentMb(process.pid);
  expect((await watch.end())?.before_mb ?? null).toBeCloseTo(own ?? Number.NaN, -2.5);
  expect(await watchMemory(undefined).end()).toBeNull();
});
