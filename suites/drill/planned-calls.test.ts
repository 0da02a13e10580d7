import { expect, it } from 'vitest';
import { callIn, planCalls } from './planned-calls.ts';

const plan = { seed: 3, rate: 10, forMs: 100_000, models: ['one', 'other'], run: 'r1' };

it('plans the same calls for the same seed, and others for another', () => {
  expect(planCalls(plan)).toEqual(planCalls(plan));
  expect(planCalls({ ...plan, seed: 4 })[0]).not.toEqual(planCalls(plan)[0]);
});

it('follows the rate on average, with independent times', () => {
  const calls = planCalls(plan);
  expect(calls.length).toBeGreaterThan(850);
  expect(calls.length).toBeLessThan(1_150);
  const gaps = calls.slice(1).map(({ dueMs }, at) => dueMs - (calls[at]?.dueMs ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
  // Of exponential gaps about 37 % are longer than their mean.
  const long = gaps.filter((gap) => gap > 100).length / gaps.length;
  expect(long).toBeGreaterThan(0.3);
  expect(long).toBeLessThan(0.44);
});

it('mixes models, streams, instructions and earlier turns, and marks each call', () => {
  const calls = planCalls(plan);
  expect(new Set(calls.map(({ model }) => model))).toEqual(new Set(['one', 'other']));
  const streams = calls.filter(({ isStream }) => isStream).length / calls.length;
  expect(streams).toBeGreaterThan(0.5);
  expect(streams).toBeLessThan(0.7);
  const lengths = new Set(calls.map(({ body }) => (body.messages as unknown[]).length));
  expect(lengths.size).toBeGreaterThan(5);
  for (const { index, body } of calls) expect(callIn(JSON.stringify(body), 'r1')).toBe(index);
});

it('uses each protocol that serves a model, and streams only where the protocol does', () => {
  const protocols = new Map([
    [
      'one',
      [{ protocol: 'core', streams: true } as const, { protocol: 'compat-b', streams: false } as const],
    ],
  ]);
  const calls = planCalls({ ...plan, protocols });
  const ways = new Set(calls.map(({ model, protocol, isStream }) => `${model} ${protocol} ${isStream}`));
  const core = ['one core true', 'one core false', 'other core true', 'other core false'];
  expect([...ways].toSorted()).toEqual([...core, 'one compat-b false'].toSorted());
  for (const { index, body } of calls) expect(callIn(JSON.stringify(body), 'r1')).toBe(index);
});
