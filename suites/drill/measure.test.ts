import { describe, expect, it } from 'vitest';
import type { CallOutcome } from './call-outcome.ts';
import type { CallRecord } from './drive.ts';
import { leftAlone, timeToOpen } from './left-alone.ts';
import { type DrillTraffic, known, measure, nearestRank, unknown } from './measure.ts';
import { planCalls } from './planned-calls.ts';
import { seriesOf } from './series.ts';
import type { Attempt } from './upstream-log.ts';

const calls = planCalls({ seed: 1, rate: 1, forMs: 400_000, models: ['m'], run: 'r' });

/** A call at `atS` seconds that took `tookS`. */
function record(index: number, atS: number, kind: CallOutcome['kind'] = 'ok', tookS = 1): CallRecord {
  const call = calls[index];
  if (call === undefined) throw new Error('there are fewer calls');
  return {
    ...{ call, atMs: atS * 1_000, firstMs: null, endMs: (atS + tookS) * 1_000, exchange: null },
    outcome: { kind, code: kind, text: null, detail: '' },
  };
}

const attempt = (call: number, atS: number, isGood: boolean, channel = 'c'): Attempt => ({
  ...{ n: Math.round(atS * 10) + 1, call, channel, isGood, text: null },
  atMs: atS * 1_000,
  endMs: atS * 1_000,
});

const traffic = (more: Partial<DrillTraffic>): DrillTraffic => ({
  ...{ records: [], attempts: [], attemptsLack: null, endMs: 100_000, wellFromMs: null, coolDownMs: 30_000 },
  longestRestMs: 60_000,
  ...{ costOfFailures: unknown('none'), lostEvents: unknown('none') },
  ...{ tasks: null, lateMs: 0 },
  ...more,
});

describe('the measures', () => {
  it('count complete and correct answers, and list the others by kind', () => {
    const records = [record(0, 1), record(1, 2, 'refused'), record(2, 3, 'wrong'), record(3, 4, 'truncated')];
    const { availability, wrong, truncated } = measure(traffic({ records }));
    expect([availability, wrong, truncated].map(({ value }) => value)).toEqual([25, 1, 1]);
  });

  it('compute percentiles by nearest rank', () => {
    const values = Array.from({ length: 200 }, (_, at) => at + 1);
    expect([nearestRank(values, 0.5), nearestRank(values, 0.99), nearestRank([], 0.5)]).toEqual([
      100,
      198,
      null,
    ]);
  });

  it('count upstream requests by call', () => {
    const attempts = [attempt(0, 1, false), attempt(0, 1.5, true), attempt(1, 2, true)];
    const { attempts: mean, ...all } = measure(traffic({ records: [record(0, 1), record(1, 2)], attempts }));
    expect([mean.value, all['most attempts'].value, all.retried.value]).toEqual([1.5, 2, 50]);
  });

  it('report the share of calls that succeeded after a failed first request', () => {
    const attempts = [attempt(0, 1, false), attempt(0, 1.5, true), attempt(1, 2, false), attempt(2, 3, true)];
    const records = [record(0, 1), record(1, 2, 'refused'), record(2, 3)];
    expect(measure(traffic({ records, attempts })).rescued.value).toBe(50);
    expect(measure(traffic({ records, attempts: attempts.slice(3) })).rescued.value).toBeNull();
  });

  it('have no number of requests where the journal is incomplete', () => {
    const { attempts, open } = measure(traffic({ records: [record(0, 1)], attemptsLack: 'lost' }));
    expect([attempts, open]).toEqual([unknown('lost'), unknown('lost')]);
  });

  it('recover with the last call that failed after the upstreams were healthy', () => {
    const records = [record(0, 5, 'refused'), record(1, 12, 'refused'), record(2, 20)];
    expect(measure(traffic({ records, wellFromMs: 10_000 })).recovery).toEqual(known(3));
    expect(measure(traffic({ records: records.slice(0, 2), wellFromMs: 10_000 })).recovery.value).toBe(
      'never',
    );
    expect(measure(traffic({ records, wellFromMs: 30_000 })).recovery.value).toBeNull();
    expect(measure(traffic({ records })).recovery.value).toBeNull();
  });
});

describe('a channel', () => {
  const failing = [1, 2, 3].map((at) => attempt(at, at, false));

  it('counts as avoided when it got no request for long after a failure, until its probe', () => {
    const attempts = [...failing, attempt(4, 33, true), attempt(5, 80, true)];
    const alone = leftAlone(attempts, 30_000, 100_000);
    expect(alone).toEqual([{ fromMs: 3_000, untilMs: 33_000 }]);
    expect(timeToOpen(attempts, alone)).toBe(2_000);
    const { open, probe } = measure(traffic({ records: [record(0, 1)], attempts }));
    expect([open.value, probe.value]).toEqual([2, 30]);
  });

  it.each([
    ['never', 100_000, null],
    [null, 70_000, null],
    [null, 100_000, 50_000],
  ])(
    'gives the probe time %j when it is not called until %d ms, with healthy upstreams from %s',
    (value, endMs, wellFromMs) => {
      const attempts = [attempt(0, 1, false), attempt(1, 2, false)];
      const { probe } = measure(traffic({ records: [record(0, 1)], attempts, endMs, wellFromMs }));
      expect(probe.value).toBe(value);
    },
  );

  it('counts as avoided even if a success from an earlier call came last, but not after a real recovery', () => {
    const failing = [attempt(0, 1, false), attempt(1, 3, false)];
    const alone = leftAlone([...failing, attempt(2, 3.2, true), attempt(3, 33, true)], 30_000, 40_000);
    expect(alone).toEqual([{ fromMs: 3_200, untilMs: 33_000 }]);
    const well = [...failing, attempt(2, 9, true), attempt(3, 39, true)];
    expect(leftAlone(well, 30_000, 40_000)).toEqual([]);
  });

  it('may be avoided until the end', () => {
    expect(leftAlone(failing, 30_000, 100_000)).toEqual([{ fromMs: 3_000, untilMs: null }]);
  });

  it('that fails and is called repeatedly was never avoided', () => {
    const attempts = Array.from({ length: 100 }, (_, at) => attempt(at, at, false));
    expect(leftAlone(attempts, 30_000, 100_000)).toEqual([]);
    expect(measure(traffic({ records: [record(0, 1)], attempts })).open.value).toBe('never');
  });

  it('that never failed has no measure', () => {
    const attempts = [attempt(0, 1, true), attempt(1, 90, true)];
    expect(timeToOpen(attempts, leftAlone(attempts, 30_000, 100_000))).toBeNull();
  });
});

it('distributes all data over time', () => {
  const { bin_s, bins, channels } = seriesOf(
    traffic({
      records: [record(0, 0.5), record(1, 1.5, 'refused')],
      attempts: [attempt(0, 0.5, true), attempt(1, 1.5, false)],
      endMs: 2_000,
    }),
  );
  expect([bin_s, bins.length]).toEqual([1, 2]);
  expect(bins).toMatchObject([
    { ok: 1, failed: 0, attempts: 1, failed_attempts: 0, p50_s: 1 },
    { ok: 0, failed: 1, attempts: 1, failed_attempts: 1 },
  ]);
  expect(channels).toMatchObject([
    {
      name: 'c',
      attempts: 2,
      failed: 1,
      bins: [
        [1, 0],
        [1, 1],
      ],
    },
  ]);
});
