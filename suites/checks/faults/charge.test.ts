import { describe, expect, it } from 'vitest';
import { chargeBounds } from './charge.ts';

const scripted = { text: 'one', usage: { prompt_tokens: 7, completion_tokens: 3 }, calls: [] };
const uncounted = { ...scripted, usage: { prompt_tokens: 0, completion_tokens: 0 } };
const bounds = (
  charge: 'nothing' | 'reported' | 'cached' | 'known',
  callerOutcome: 'served' | 'refused' | 'broken',
  whole: bigint | null = 50n,
  bytes = 400,
): unknown =>
  chargeBounds(
    { verdict: { charge }, scripted },
    { outcome: callerOutcome, bytes },
    ({ completion_tokens, cached_tokens = 0 }) =>
      whole === null ? null : whole + BigInt(completion_tokens - 3 - cached_tokens),
  );

describe('the charge of a call with a fault', () => {
  it.for(['served', 'refused', 'broken'] as const)(
    'is zero where the verdict says so, %s',
    (callerOutcome) => {
      expect(bounds('nothing', callerOutcome)).toEqual({ min: 0n, max: 0n });
    },
  );

  it('is the price of the reported counts for a served call', () => {
    expect(bounds('reported', 'served')).toEqual({ min: 50n, max: 50n });
  });

  it('is zero for a plain refusal, and at most the full price for a broken stream', () => {
    expect(bounds('reported', 'refused')).toEqual({ min: 0n, max: 0n });
    expect(bounds('reported', 'broken')).toEqual({ min: 0n, max: 50n });
  });

  it('is at most the full price where only the last report is known', () => {
    expect(bounds('known', 'broken')).toEqual({ min: 0n, max: 50n });
    expect(bounds('known', 'served')).toEqual({ min: 0n, max: 50n });
    expect(bounds('known', 'served', 50n, 8_000_000)).toEqual({ min: 0n, max: 50n });
  });

  it('may count what came of an endless stream that the gateway halted', () => {
    expect(bounds('known', 'broken', 50n, 8_000_000)).toEqual({ min: 0n, max: 4_000_047n });
  });

  it('allows any cached part of the prompt where the upstream reports contradictory cache counts', () => {
    expect(bounds('cached', 'served')).toEqual({ min: 43n, max: 50n });
    expect(bounds('cached', 'broken')).toEqual({ min: 0n, max: 50n });
    expect(bounds('cached', 'refused')).toEqual({ min: 0n, max: 0n });
  });

  it('is above zero for a served call without a declared price, unless its counts are zero', () => {
    expect(bounds('reported', 'served', null)).toEqual({ min: 1n, max: null });
    const served = { outcome: 'served', bytes: 400 } as const;
    const free = chargeBounds({ verdict: { charge: 'reported' }, scripted: uncounted }, served, () => null);
    expect(free).toEqual({ min: 0n, max: null });
  });
});
