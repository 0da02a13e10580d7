import { describe, expect, it } from 'vitest';
import type { JobResult } from './run-input.ts';
import { TargetStops } from './target-stops.ts';

const result = (target: string, verdict: JobResult['verdict']): JobResult =>
  ({ target, verdict }) as JobResult;

describe('the stops of targets', () => {
  it('stop a target at its first failure, and no other one', () => {
    const stops = new TargetStops(1_000, () => 0);
    stops.note(result('a', 'warn'));
    expect(stops.mayBegin('a')).toBe(true);
    stops.note(result('a', 'fail'));
    expect([stops.mayBegin('a'), stops.mayBegin('b')]).toEqual([false, true]);
  });

  it('stop a target when its time is over, from its first job on', () => {
    let now = 5_000;
    const stops = new TargetStops(1_000, () => now);
    expect(stops.mayBegin('a')).toBe(true);
    now = 5_999;
    expect([stops.mayBegin('a'), stops.mayBegin('b')]).toEqual([true, true]);
    now = 6_000;
    expect([stops.mayBegin('a'), stops.mayBegin('b')]).toEqual([false, true]);
  });

  it('stop nothing where no time is given', () => {
    const stops = new TargetStops(null, () => 0);
    stops.note(result('a', 'fail'));
    expect(stops.mayBegin('a')).toBe(true);
  });
});
