import { expect, it } from 'vitest';
import { readUsage } from './read-usage.ts';

const usage = (prompt: number, read: number, short: number, long: number) => ({
  promptTokens: prompt,
  completionTokens: 7,
  cachedTokens: read,
  cacheWrite5mTokens: short,
  cacheWrite1hTokens: long,
});
const split = (short: unknown, long: unknown) => ({
  ephemeral_5m_input_tokens: short,
  ephemeral_1h_input_tokens: long,
});

it.for<[object, object]>([
  [{ input_tokens: 3 }, usage(3, 0, 0, 0)],
  [{ input_tokens: 3, cache_read_input_tokens: 5, cache_creation_input_tokens: null }, usage(8, 5, 0, 0)],
  [{ input_tokens: 3, cache_creation_input_tokens: 12_304 }, usage(12_307, 0, 12_304, 0)],
  [{ input_tokens: 3, cache_creation_input_tokens: 100, cache_creation: null }, usage(103, 0, 100, 0)],
  [
    { input_tokens: 3, cache_creation_input_tokens: 100, cache_creation: split(60, 40) },
    usage(103, 0, 60, 40),
  ],
  [{ input_tokens: 3, cache_creation: split(60, 40) }, usage(103, 0, 60, 40)],
  [
    { input_tokens: 3, cache_creation_input_tokens: 100, cache_creation: split(0, 40) },
    { ...usage(103, 0, 60, 40), doubt: 'cache_writes' },
  ],
  [
    { input_tokens: 3, cache_creation_input_tokens: 30, cache_creation: split(60, 40) },
    { ...usage(33, 0, 0, 30), doubt: 'cache_writes' },
  ],
  [{ input_tokens: '3', cache_creation: split('60', '40.0') }, usage(103, 0, 60, 40)],
])('adds up %j', ([native, ours]) => {
  expect(readUsage({ output_tokens: 7, ...native })).toEqual(ours);
});

it.for([
  { input_tokens: 'three' },
  { input_tokens: -3 },
  { input_tokens: 1.5 },
  { input_tokens: 3, cache_read_input_tokens: true },
  { input_tokens: 3, cache_creation_input_tokens: -1 },
  { input_tokens: 3, cache_creation: split('-60', 0) },
  { input_tokens: 3, output_tokens: 1e12 },
])('refuses %j', (native) => {
  expect(readUsage({ output_tokens: 7, ...native })).toBeUndefined();
});

it('knows nothing from nothing, and refuses what is no object', () => {
  expect(readUsage(undefined)).toBeNull();
  expect(readUsage({ output_tokens: 7 })).toBeNull();
  expect(readUsage([])).toBeUndefined();
});
