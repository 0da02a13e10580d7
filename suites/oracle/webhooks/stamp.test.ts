import { describe, expect, it } from 'vitest';
import { findingOf } from '../../testing/finding-of.ts';
import { sampleArrival, sampleEvent } from '../../testing/sample-event.ts';
import { judgeStamp, readStamp } from './stamp.ts';

const name = 'X-Service-Timestamp';
const atS = Math.floor(sampleArrival / 1_000);

/** An event with this value of the header for receivers; null omits it. */
const stamped = (text: string | null, signed = String(atS)): string => {
  const event = sampleEvent({
    headers: (headers) => [
      ...headers.filter(([key]) => !/timestamp/.test(key)),
      ['webhook-timestamp', signed],
      ...(text === null ? [] : [['x-service-timestamp', text] as [string, string]]),
    ],
  });
  return findingOf(() => judgeStamp(event, name)) ?? judgeStamp(event, name).unit;
};

describe('the time in an event', () => {
  it('may be in seconds, in milliseconds, or a time with its zone', () => {
    expect(readStamp('1800000000')).toEqual({
      fromMs: 1_800_000_000_000,
      toMs: 1_800_000_000_999,
      unit: 'seconds',
    });
    expect(readStamp('1800000000123')).toMatchObject({ fromMs: 1_800_000_000_123, unit: 'milliseconds' });
    expect(readStamp('2027-01-15T08:00:00Z')).toMatchObject({ fromMs: 1_800_000_000_000, unit: 'text' });
    expect(readStamp('2027-01-15T10:00:00.250+02:00')).toMatchObject({ fromMs: 1_800_000_000_250 });
  });

  it.for(['', 'now', '18e8', '-5', '1.8e9', ' 1800000000', '2027-01-15', '2027-01-15T08:00:00', '0'])(
    'is unreadable as %j',
    (text) => {
      expect(readStamp(text)).toBeNull();
    },
  );

  it('must be present, readable, and equal to the signed one', () => {
    expect(stamped(String(atS))).toBe('seconds');
    expect(stamped(new Date(atS * 1_000).toISOString())).toBe('text');
    expect(stamped(null)).toBe('HOOK-008 timestamp-header');
    expect(stamped('soon')).toBe('HOOK-008 timestamp-header');
    expect(stamped(String(atS - 1))).toBe('HOOK-008 as-signed');
    expect(stamped(String(atS), 'soon')).toBe('HOOK-008 as-signed');
  });

  it('should be in seconds', () => {
    const event = sampleEvent({
      headers: (headers) =>
        headers.map(([key, value]) => [key, key === 'x-service-timestamp' ? `${value}000` : value]),
    });
    expect(judgeStamp(event, name).advice.map(({ aspect }) => aspect)).toEqual(['seconds']);
  });
});
