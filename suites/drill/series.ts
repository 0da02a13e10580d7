import type { DrillBin, DrillChannel } from 'gatecheck-reports/drill/drill-report';
import type { CallRecord } from './drive.ts';
import { leftAlone } from './left-alone.ts';
import { type DrillTraffic, nearestRank } from './measure.ts';

/** The data for the page's charts: everything over time, in equal intervals. */
export interface Series {
  readonly bin_s: number;
  readonly bins: readonly DrillBin[];
  readonly channels: readonly DrillChannel[];
}

const mostBins = 120;

export function seriesOf(traffic: DrillTraffic): Series {
  const { records, attempts, endMs, coolDownMs } = traffic;
  const binMs = Math.max(1_000, Math.ceil(endMs / mostBins / 1_000) * 1_000);
  const count = Math.max(1, Math.ceil(endMs / binMs));
  const binOf = (ms: number): number => Math.min(count - 1, Math.max(0, Math.floor(ms / binMs)));
  const calls = Map.groupBy(records, ({ atMs }) => binOf(atMs));
  const tries = Map.groupBy(attempts, ({ atMs }) => binOf(atMs));
  const places = Array.from({ length: count }, (_, place) => place);
  const bins = places.map((place): DrillBin => {
    const asked = tries.get(place) ?? [];
    return {
      ...callBin(calls.get(place) ?? []),
      attempts: asked.length,
      failed_attempts: asked.filter(({ isGood }) => !isGood).length,
    };
  });
  const channels = [...Map.groupBy(attempts, ({ channel }) => channel)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, own]): DrillChannel => {
      const byBin = Map.groupBy(own, ({ atMs }) => binOf(atMs));
      const failedOf = (some: typeof own): number => some.filter(({ isGood }) => !isGood).length;
      const alone = coolDownMs === null ? [] : leftAlone(own, coolDownMs, endMs);
      return {
        ...{ name, attempts: own.length, failed: failedOf(own) },
        left_alone: alone.map(({ fromMs, untilMs }) => ({
          from_s: fromMs / 1_000,
          until_s: untilMs === null ? null : untilMs / 1_000,
        })),
        bins: places.map((place) => [byBin.get(place)?.length ?? 0, failedOf(byBin.get(place) ?? [])]),
      };
    });
  return { bin_s: binMs / 1_000, bins, channels };
}

function callBin(
  records: readonly CallRecord[],
): Pick<DrillBin, 'ok' | 'failed' | 'bad' | 'p50_s' | 'p99_s'> {
  const bad = records.filter(
    ({ outcome }) => outcome.kind === 'wrong' || outcome.kind === 'truncated',
  ).length;
  const ok = records.filter(({ outcome }) => outcome.kind === 'ok').length;
  const tookMs = records.map(({ atMs, endMs }) => endMs - atMs);
  const seconds = (share: number): number | null => {
    const ms = nearestRank(tookMs, share);
    return ms === null ? null : ms / 1_000;
  };
  return { ok, bad, failed: records.length - ok - bad, p50_s: seconds(0.5), p99_s: seconds(0.99) };
}
