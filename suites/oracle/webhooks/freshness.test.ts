import { describe, expect, it } from 'vitest';
import { findingOf } from '../../testing/finding-of.ts';
import { sampleArrival, sampleEvent } from '../../testing/sample-event.ts';
import { judgeRenewed, judgeTimeOfSending, type Stamped, skewMs, spanOf } from './freshness.ts';
import type { Stamp } from './stamp.ts';

const atS = Math.floor(sampleArrival / 1_000);
const stamp = (seconds: number): Stamp => ({
  fromMs: seconds * 1_000,
  toMs: seconds * 1_000 + 999,
  unit: 'seconds',
});

describe('the time of sending', () => {
  const judge = (seconds: number, slackMs: number): string | null => {
    const event = sampleEvent();
    return findingOf(() => judgeTimeOfSending(event, stamp(seconds), spanOf(event, slackMs)));
  };

  it('may be off by the tolerance for two clocks', () => {
    for (const off of [-10, -1, 0, 1, 9]) expect(judge(atS + off, skewMs.known), `${off} s`).toBeNull();
    for (const off of [-300, 299]) expect(judge(atS + off, skewMs.unknown), `${off} s`).toBeNull();
  });

  it('differs from any other time of the task', () => {
    for (const off of [-600, -12, 12, 600])
      expect(judge(atS + off, skewMs.known), `${off} s`).toBe('HOOK-009 time-of-sending');
    for (const off of [-302, 302])
      expect(judge(atS + off, skewMs.unknown), `${off} s`).toBe('HOOK-009 time-of-sending');
  });

  it('may be any time within a jump of the clock', () => {
    const event = sampleEvent({
      more: { receivedMs: { min: sampleArrival - 600_000, max: sampleArrival } },
    });
    const judgeIn = (seconds: number): string | null =>
      findingOf(() => judgeTimeOfSending(event, stamp(seconds), spanOf(event, skewMs.known)));
    expect(judgeIn(atS - 600)).toBeNull();
    expect(judgeIn(atS - 660)).toBe('HOOK-009 time-of-sending');
  });
});

describe('the time of a repeated delivery', () => {
  const delivery = (n: number, seconds: number): Stamped => ({
    event: sampleEvent({ more: { n } }),
    stamp: stamp(seconds),
  });
  const judge = (afterS: number): string | null =>
    findingOf(() => judgeRenewed(delivery(1, atS), delivery(2, atS + afterS), [4_500, 5_500]));

  it('is later by the delay between the deliveries', () => {
    for (const afterS of [4, 5, 6]) expect(judge(afterS), `${afterS} s`).toBeNull();
  });

  it("equals neither an earlier delivery's time nor any other", () => {
    for (const afterS of [-5, 0, 3, 7, 300]) expect(judge(afterS), `${afterS} s`).toBe('HOOK-009 renewed');
  });
});
