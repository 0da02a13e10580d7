import { type Finding, flag, must } from '../../rules/violation.ts';
import { isJsonObject } from '../../values/json.ts';
import { eventHeader, type ReceivedEvent } from '../../wire/received-event.ts';
import type { EventClaims } from './judge-event.ts';
import { plainSpelling } from './plain-spelling.ts';

type Members = Readonly<Record<string, unknown>>;

/** Events that arrived when none, or no more, were allowed. The message shows the first. */
export function judgeNone(
  events: readonly ReceivedEvent[],
  rule: { readonly requirement: string; readonly aspect: string; readonly expected: string },
): void {
  const [first] = events;
  must(first === undefined, {
    ...rule,
    actual: `${events.length} of them: ${first?.body.toString('utf8').slice(0, 200)}`,
    exchange: first?.exchange,
  });
}

/** Events as receivers count them: deliveries with one webhook-id are one event. */
export function distinctEvents(events: readonly ReceivedEvent[]): ReceivedEvent[] {
  const known = new Set<string>();
  return events.filter((event) => {
    const id = eventHeader(event, 'webhook-id');
    const isNew = id === null || !known.has(id);
    if (id !== null) known.add(id);
    return isNew;
  });
}

/**
 * Judges that each end is reported once. After a 2xx answer another event is forbidden. A receiver must tolerate the same
 * event again, so that only violates advice (reading B-114).
 */
export function judgeOnce(events: readonly ReceivedEvent[]): Finding[] {
  const rule = { requirement: 'HOOK-004', aspect: 'one-event', expected: 'one event for one end' };
  judgeNone(distinctEvents(events).slice(1), rule);
  const taken = events.findIndex(isTaken);
  const after = taken < 0 ? undefined : events[taken + 1];
  if (after === undefined) return [];
  const actual = `${events.length - taken - 1} more deliveries after one that was answered with 2xx`;
  return [{ ...rule, actual, exchange: after.exchange, twin: events[taken]?.exchange }];
}

/** Whether the receiver confirmed the event. */
export function isTaken({ answered }: Pick<ReceivedEvent, 'answered'>): boolean {
  return answered.kind === 'status' && answered.status >= 200 && answered.status < 300;
}

/** Judges that a repeated delivery is the same event as the first one, by its id and its content, at the same URL. */
export function judgeSame(first: EventClaims, again: EventClaims): void {
  const contentOf = ({ id, payload: { taskId, status, type, record } }: EventClaims): string =>
    [`webhook-id ${id}`, taskId, status, type, ...resultsIn(record ?? {})]
      .filter((part) => part !== null)
      .join(', ');
  flag(contentOf(first) === contentOf(again), {
    requirement: 'HOOK-004',
    aspect: 'same-event',
    expected: `the event of the first delivery: ${contentOf(first)}`,
    actual: contentOf(again),
    exchange: again.event.exchange,
    twin: first.event.exchange,
  });
  const [target, later] = [first, again].map(({ event }) => plainSpelling(event.target));
  flag(target === later, {
    requirement: 'HOOK-005',
    aspect: 'same-target',
    expected: `a POST to ${target}, as the first delivery`,
    actual: `${later}`,
    exchange: again.event.exchange,
    twin: first.event.exchange,
  });
  flag(first.stamp.unit === again.stamp.unit, {
    requirement: 'HOOK-008',
    aspect: 'as-first',
    expected: `a time in ${first.stamp.unit}, as in the first delivery`,
    actual: `one in ${again.stamp.unit}`,
    exchange: again.event.exchange,
    twin: first.event.exchange,
  });
  // Times and links may change in each delivery; the content must not.
  const [told, repeated] = [first, again].map(({ event }) => memberNames(event));
  flag(told === repeated, {
    requirement: 'HOOK-004',
    aspect: 'same-members',
    expected: `the members of the first delivery: ${told}`,
    actual: `${repeated}`,
    exchange: again.event.exchange,
    twin: first.event.exchange,
  });
}

/** What a record says of its end: how many results, how long, which error. The links themselves may be signed anew. */
function resultsIn({ result_urls: urls, duration_sec: seconds, error }: Members): string[] {
  return [
    ...(Array.isArray(urls) ? [`${urls.length} results`] : []),
    ...(typeof seconds === 'number' ? [`${seconds} s`] : []),
    ...(isJsonObject(error) ? [`error ${error.code}`] : []),
  ];
}

/** The names of all members of a JSON body with their places, sorted; empty for any other body. */
function memberNames({ body }: ReceivedEvent): string {
  const names = (value: unknown, at: string): string[] =>
    value === null || typeof value !== 'object'
      ? []
      : Object.entries(value).flatMap(([name, member]) => [at + name, ...names(member, `${at}${name}.`)]);
  try {
    return names(JSON.parse(body.toString('utf8')), '')
      .toSorted()
      .join(', ');
  } catch {
    return '';
  }
}

/**
 * Judges that events of different tasks have different ids, so that no receiver takes one for a repeated
 * delivery.
 */
export function judgeApart(events: readonly EventClaims[]): void {
  const known = new Map<string, EventClaims>();
  for (const one of events) {
    if (one.id === null) continue;
    const other = known.get(one.id);
    flag(other === undefined || other.payload.taskId === one.payload.taskId, {
      requirement: 'HOOK-004',
      aspect: 'own-id',
      expected: 'a webhook-id that no event of another task has',
      actual: `${one.id}, of ${other?.payload.taskId} and of ${one.payload.taskId}`,
      exchange: one.event.exchange,
      twin: other?.event.exchange,
    });
    known.set(one.id, one);
  }
}
