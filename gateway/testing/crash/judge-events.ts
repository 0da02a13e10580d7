import type { Shot } from './aim.ts';
import type { Evidence, Violation } from './evidence.ts';
import type { Arrival } from './sightings.ts';

/** An event sent just before a kill may arrive this much later, in ms. */
const onTheWayMs = 100;

/** Each end of a task is reported under one id and with the same text, and repeated only if a process died during it. */
export function brokenEvents({ sightings, shots, admin: { tasks, events } }: Evidence): Violation[] {
  const byEvent = Map.groupBy(sightings.arrivals, ({ eventId }) => eventId);
  const eventsOf = Map.groupBy(events, ({ task_id }) => task_id);
  return [
    ...tasks.flatMap(({ task_id }) => {
      const count = eventsOf.get(task_id)?.length ?? 0;
      return count === 1 ? [] : [{ kill: null, what: `${task_id} has ${count} events` }];
    }),
    ...events.flatMap(({ event_id, state }) => [
      ...(state === 'delivered' ? [] : [{ kill: null, what: `${event_id} is ${state}` }]),
      ...(byEvent.has(event_id) ? [] : [{ kill: null, what: `${event_id} never arrived` }]),
    ]),
    ...[...Map.groupBy(sightings.arrivals, ({ n }) => n)].flatMap(([n, arrivals]) => {
      const wordings = new Set(arrivals.map(({ eventId, text }) => `${eventId} ${text}`)).size;
      return wordings === 1 ? [] : [{ kill: null, what: `number ${n} is reported in ${wordings} ways` }];
    }),
    ...[...byEvent].flatMap(([id, arrivals]) => needlessRepeats(id, arrivals, shots)),
  ];
}

/** Repeats that follow neither a rejection nor a kill of their own: one kill excuses one repeat of an event. */
function needlessRepeats(id: string, arrivals: readonly Arrival[], shots: readonly Shot[]): Violation[] {
  let used = 0;
  return arrivals.flatMap((arrival, i) => {
    const before = arrivals[i - 1];
    if (before === undefined || (before.status !== null && before.status !== 204)) return [];
    const excuse = shots.find(
      ({ kill, atMs, untilMs }) => kill > used && untilMs >= before.atMs - onTheWayMs && atMs <= arrival.atMs,
    );
    if (excuse !== undefined) {
      used = excuse.kill;
      return [];
    }
    const last = shots.findLast(({ atMs }) => atMs <= arrival.atMs);
    const what = `${id} (number ${arrival.n}) came again after ${arrival.atMs - before.atMs} ms with no kill between`;
    return [{ kill: last?.kill ?? null, what }];
  });
}

/** For each event, how often it arrived beyond the first time and its rejections. */
export function repeatsOf(arrivals: readonly Arrival[]): number[] {
  return [...Map.groupBy(arrivals, ({ eventId }) => eventId).values()].map(
    (all) => all.filter(({ status }) => status === null || status === 204).length - 1,
  );
}
