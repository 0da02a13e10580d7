import { caughtIn, haltKinds, type KillPhase, phases } from './aim.ts';
import { numbering } from './judge.ts';
import { repeatsOf } from './judge-events.ts';
import type { AuditResult } from './run-audit.ts';

/** Every violation, one line each, with the options to reproduce it. */
export function faultsOf(
  { violations, recoveries }: AuditResult,
  { seed, mostRecoveryMs }: { readonly seed: number; readonly mostRecoveryMs: number },
): string[] {
  const late = recoveries.flatMap(({ tookMs }, i) =>
    tookMs > mostRecoveryMs
      ? [{ kill: i + 1, what: `the first answer came after ${Math.round(tookMs)} ms` }]
      : [],
  );
  return [...violations, ...late].map(
    ({ kill, what }) => `seed ${seed}, ${kill === null ? 'at the end' : `kill ${kill}`}: ${what}`,
  );
}

/** The figures of an audit. */
export function tableOf(result: AuditResult): string {
  const { sightings, admin, recoveries, lockOutsMs, takeoversMs, mostInFlight, tookMs } = result;
  const all = [...sightings.all.values()];
  const answered = all.filter(({ answeredAtMs }) => answeredAtMs !== null);
  const taken = answered.filter(({ taskId }) => taskId !== null);
  const repeats = repeatsOf(sightings.arrivals);
  const rows: (readonly [string, unknown])[] = [
    ...phaseRows(result),
    ...haltKinds.map((kind) => [kind, result.shots.filter(({ aim }) => aim === kind).length] as const),
    ['requests; answered whole', `${all.length}; ${answered.length}`],
    ['usage records', admin.records.length],
    ['tasks acknowledged; kept', `${taken.length}; ${admin.tasks.length}`],
    ['jobs', result.jobs.length],
    [
      'events; repeated; repeats of one',
      `${repeats.length}; ${repeats.filter(Boolean).length}; ${mostOf(repeats)}`,
    ],
    [
      'calls of a user at the upstreams',
      [...mostInFlight].map(([user, calls]) => `${user} ${calls.length}`).join(', '),
    ],
    ['first answer after a start, ms', spread(recoveries.map((one) => one.tookMs))],
    ['processor time of that, ms', spread(recoveries.flatMap((one) => one.processorMs ?? []))],
    ['kept from a slot by the dead, ms', spread(lockOutsMs)],
    ['taken over from the halted, ms', spread(takeoversMs)],
    ['took, s', Math.round(tookMs / 1000)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, value]) => name.padEnd(width) + String(value)).join('\n');
}

const mostOf = (numbers: readonly number[]): number =>
  Math.round(numbers.reduce((one, other) => Math.max(one, other), 0));

function spread(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((one, other) => one - other);
  return `median ${Math.round(sorted[sorted.length >> 1] ?? 0)}, longest ${mostOf(numbers)}`;
}

/** Number of kills aimed at each phase, and number of requests that all kills caught there. */
function phaseRows(result: AuditResult): (readonly [string, string])[] {
  const recorded = new Set(result.admin.records.map(numbering(result)));
  const caught = new Map<KillPhase, number>();
  const add = (phase: KillPhase): unknown => caught.set(phase, (caught.get(phase) ?? 0) + 1);
  for (const shot of result.shots) {
    for (const sighting of result.sightings.all.values()) {
      const phase = caughtIn(sighting, shot, recorded.has(sighting.n));
      if (phase !== null) add(phase);
    }
    for (const { atMs, answeredAtMs } of result.sightings.arrivals)
      if (atMs <= shot.atMs && (answeredAtMs ?? Number.POSITIVE_INFINITY) >= shot.atMs)
        add('while an event is sent');
  }
  return phases.map((phase) => {
    const aimed = `kills ${result.shots.filter(({ aim }) => aim === phase).length}`;
    return [phase, phase === 'at random' ? aimed : `${aimed}, requests caught ${caught.get(phase) ?? 0}`];
  });
}
