import { describe, expect, it } from 'vitest';
import { findingOf } from '../../testing/finding-of.ts';
import { sampleEvent } from '../../testing/sample-event.ts';
import { judgeAttempts, judgeGap, waitBefore } from './schedule.ts';

const schedule = { waitsMs: [0, 5_000, 300_000], jitterPercent: 10 };

describe('a schedule', () => {
  it('determines when an attempt is due, and when no more follow', () => {
    expect(waitBefore(schedule, 1)).toEqual([0, 0]);
    const [min = 0, max = 0] = waitBefore(schedule, 2) ?? [];
    expect([Math.round(min), Math.round(max)]).toEqual([4_500, 5_500]);
    expect(waitBefore(schedule, 4)).toBeNull();
  });
});

describe('the attempts of an event that is never accepted', () => {
  const judge = (seen: number, wanted: number, last = false): string | null =>
    findingOf(() =>
      judgeAttempts(
        Array.from({ length: seen }, () => sampleEvent()),
        wanted,
        'by now',
        last,
      ),
    );

  it('match the number in the schedule', () => {
    expect(judge(2, 2)).toBeNull();
    expect(judge(3, 3, true)).toBeNull();
  });

  it('are neither too few, nor too many, nor endless', () => {
    expect(judge(1, 2)).toBe('HOOK-004 redelivered');
    expect(judge(2, 3)).toBe('HOOK-004 as-declared');
    expect(judge(3, 2)).toBe('HOOK-004 as-declared');
    expect(judge(4, 3, true)).toBe('HOOK-004 stops');
  });
});

describe('the gap between two deliveries', () => {
  const at = (ms: number): ReturnType<typeof sampleEvent> =>
    sampleEvent({ more: { receivedMs: { min: ms, max: ms } } });
  const judge = (gapMs: number): string | null =>
    findingOf(() => judgeGap(at(1_000), at(1_000 + gapMs), [450, 550]));

  it('is the one in the schedule', () => {
    for (const gapMs of [450, 500, 550]) expect(judge(gapMs), `${gapMs} ms`).toBeNull();
    for (const gapMs of [0, 449, 551, 5_000])
      expect(judge(gapMs), `${gapMs} ms`).toBe('HOOK-004 as-declared');
  });
});
