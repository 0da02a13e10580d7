import type { DrillTasks, Measured } from 'gatecheck-reports/drill/drill-report';
import type { MeasureName } from 'gatecheck-reports/drill/measures';
import type { CallRecord } from './drive.ts';
import { leftAlone, timeToOpen } from './left-alone.ts';
import type { Attempt } from './upstream-log.ts';

/** Everything that a drill saw. Times are ms since its start. */
export interface DrillTraffic {
  readonly records: readonly CallRecord[];
  readonly attempts: readonly Attempt[];
  /** Why some attempts are missing; null if they are complete. */
  readonly attemptsLack: string | null;
  /** The 99th percentile of the calls' delay, ms: a high value shows a busy machine. */
  readonly lateMs: number;
  /** The end of the load. */
  readonly endMs: number;
  readonly wellFromMs: number | null;
  /** The first cool-down of a breaker, ms; null if not declared. */
  readonly coolDownMs: number | null;
  /** Its maximum cool-down without new failures, ms. */
  readonly longestRestMs: number | null;
  readonly costOfFailures: Measured;
  readonly lostEvents: Measured;
  /** The results of the tasks next to the calls; null without tasks. */
  readonly tasks: DrillTasks | null;
}

/** The value of each measure, or why it has none. */
export function measure(traffic: DrillTraffic): Record<MeasureName, Measured> {
  const { records } = traffic;
  const count = (kind: CallRecord['outcome']['kind']): number =>
    records.filter(({ outcome }) => outcome.kind === kind).length;
  const tookMs = records.map(({ atMs, endMs }) => endMs - atMs);
  const firstMs = records
    .filter(({ outcome }) => outcome.kind === 'ok')
    .flatMap((record) => (record.firstMs === null ? [] : [record.firstMs - record.atMs]));
  return {
    availability: over(records.length, 'no call was sent', (100 * count('ok')) / records.length),
    p50: rank(tookMs, 0.5, 'no call was sent'),
    p99: rank(tookMs, 0.99, 'no call was sent'),
    'first chunk p50': rank(firstMs, 0.5, 'no stream was served'),
    'first chunk p75': rank(firstMs, 0.75, 'no stream was served'),
    'first chunk p99': rank(firstMs, 0.99, 'no stream was served'),
    ...attemptMeasures(traffic),
    ...breakerMeasures(traffic),
    recovery: recovery(traffic),
    wrong: over(records.length, 'no call was sent', count('wrong')),
    truncated: over(records.length, 'no call was sent', count('truncated')),
    'cost of failures': traffic.costOfFailures,
    'lost events': traffic.lostEvents,
  };
}

/** A measured number. */
export function known(value: number): Measured {
  return { value: Number.isFinite(value) ? value : 'never', why: null };
}

/** A measure without a value, and the reason. */
export function unknown(why: string): Measured {
  return { value: null, why };
}

function over(of: number, why: string, value: number): Measured {
  return of === 0 ? unknown(why) : known(value);
}

/** By nearest rank, in seconds. */
function rank(valuesMs: readonly number[], share: number, why: string): Measured {
  const value = nearestRank(valuesMs, share);
  return value === null ? unknown(why) : known(value / 1_000);
}

/** The least value that this share of all does not exceed; null of none. */
export function nearestRank(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

type AttemptMeasures = Record<'attempts' | 'most attempts' | 'retried' | 'rescued', Measured>;

function attemptMeasures({ records, attempts, attemptsLack }: DrillTraffic): AttemptMeasures {
  const why = attemptsLack ?? (records.length === 0 ? 'no call was sent' : null);
  if (why !== null)
    return {
      ...{ attempts: unknown(why), 'most attempts': unknown(why) },
      ...{ retried: unknown(why), rescued: unknown(why) },
    };
  const byCall = Map.groupBy(attempts, ({ call }) => call);
  const counts = records.map(({ call }) => byCall.get(call.index)?.length ?? 0);
  const retried = counts.filter((count) => count > 1).length;
  const unlucky = records.filter(({ call }) => byCall.get(call.index)?.[0]?.isGood === false);
  const rescued = unlucky.filter(({ outcome }) => outcome.kind === 'ok').length;
  return {
    attempts: known(attempts.length / records.length),
    'most attempts': known(Math.max(0, ...counts)),
    retried: known((100 * retried) / records.length),
    rescued: over(unlucky.length, 'no first request of a call failed', (100 * rescued) / unlucky.length),
  };
}

/** How long after the end of a cool-down the probe may come, ms. */
const probeLateMs = 10_000;

function breakerMeasures(traffic: DrillTraffic): Record<'open' | 'probe', Measured> {
  const { attempts, attemptsLack, coolDownMs, longestRestMs, endMs, wellFromMs } = traffic;
  const why = attemptsLack ?? (coolDownMs === null ? 'upstream.breaker is not declared' : null);
  if (why !== null || coolDownMs === null) return { open: unknown(why ?? ''), probe: unknown(why ?? '') };
  const channels = [...Map.groupBy(attempts, ({ channel }) => channel).values()].map((own) => {
    const alone = leftAlone(own, coolDownMs, endMs);
    return { alone, openMs: timeToOpen(own, alone) };
  });
  const opens = channels.flatMap(({ openMs }) => (openMs === null ? [] : [openMs]));
  // A gateway that has recovered may no longer need a channel.
  const isForgotten = (fromMs: number): boolean =>
    wellFromMs === null && endMs - fromMs > (longestRestMs ?? coolDownMs) + probeLateMs;
  const probes = channels.flatMap(({ alone }) =>
    alone.flatMap(({ fromMs, untilMs }) => {
      if (untilMs !== null) return [untilMs - fromMs];
      return isForgotten(fromMs) ? [Number.POSITIVE_INFINITY] : [];
    }),
  );
  return {
    open: opens.length === 0 ? unknown('no channel failed') : known(Math.max(...opens) / 1_000),
    probe: probes.length === 0 ? unknown('no open channel was probed') : known(Math.max(...probes) / 1_000),
  };
}

/** A drill that ends with a failed call, or with none after the upstreams were well, has not recovered. */
function recovery({ records, wellFromMs }: DrillTraffic): Measured {
  if (wellFromMs === null) return unknown('the scenario does not say from when on its upstreams are well');
  const later = records
    .filter(({ atMs }) => atMs >= wellFromMs)
    .toSorted((one, other) => one.atMs - other.atMs);
  const last = later.at(-1);
  if (last === undefined) return unknown('no call was sent after the upstreams were well');
  if (last.outcome.kind !== 'ok') return known(Number.POSITIVE_INFINITY);
  const failed = later.findLast(({ outcome }) => outcome.kind !== 'ok');
  return known(failed === undefined ? 0 : (failed.endMs - wellFromMs) / 1_000);
}
