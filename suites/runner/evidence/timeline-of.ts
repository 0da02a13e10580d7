import type {
  FailureTimeline,
  LaneName,
  TimelineLane,
  TimelineRow,
} from 'gatecheck-reports/failure-timeline';
import type { Finding } from '../../rules/violation.ts';
import type { Redact } from '../../wire/redactor.ts';
import { breakerSpans } from './breaker-spans.ts';
import { clientRows } from './client-rows.ts';
import { receiverRows } from './receiver-rows.ts';
import type { Surroundings } from './surroundings.ts';
import { tiesOf } from './ties-of.ts';
import { asChannelRequest, upstreamRows } from './upstream-rows.ts';

/** How many rows of each lane are kept: of the failure's own requests, and of others next to it. */
const [maxOwn, maxOthers] = [20, 8];

/**
 * The timeline of one failure: the requests of its scene, and others close in time, in three lanes.
 * @param seenAt when it was found, Unix ms; null when unknown
 */
export function timelineOf(
  finding: Finding,
  around: Surroundings,
  { seenAt, redact }: { readonly seenAt: number | null; readonly redact: Redact },
): FailureTimeline {
  const ties = tiesOf(finding, around.client);
  const rows = {
    client: clientRows(finding, around, ties),
    upstream: typeof around.upstream === 'string' ? [] : upstreamRows(around, ties),
    receiver: typeof around.receiver === 'string' ? [] : receiverRows(finding, around, ties),
  };
  const shown = momentIn(finding, rows);
  const foundAt =
    seenAt === null ? Math.max(0, ...rows.client.map(({ to_ms: to }) => to ?? 0)) : around.timeOf(seenAt);
  const at = Math.round(shown?.at ?? foundAt);
  const client = laneOf(rows.client, at);
  const upstream = laneOf(rows.upstream, at, around.upstream);
  const receiver = laneOf(rows.receiver, at, around.receiver);
  const lanes = { client, upstream, receiver };
  const row = shown === null ? -1 : lanes[shown.lane].rows.indexOf(shown.row);
  for (const lane of Object.values(lanes)) lane.rows = lane.rows.map((one) => finished(one, redact));
  return {
    moment: { at_ms: at, lane: shown?.lane ?? null, row: row < 0 ? null : row },
    ...lanes,
    ...(around.breakers !== null &&
      typeof around.upstream !== 'string' && {
        breakers: breakerSpans(
          around.upstream.flatMap((entry) => asChannelRequest(entry, around)),
          around.breakers,
        ).filter(({ to_ms: to, from_ms: from }) => to >= earliest(lanes) && from <= latest(lanes, at)),
      }),
  };
}

type Rows = Readonly<Record<LaneName, readonly TimelineRow[]>>;

/** Where the rule was broken: at the receiver, in an upstream request, or in the answer to the caller. */
function momentIn(finding: Finding, rows: Rows): { lane: LaneName; row: TimelineRow; at: number } | null {
  const event = rows.receiver.find(({ role }) => role === 'shows');
  if (event !== undefined) return { lane: 'receiver', row: event, at: event.from_ms };
  const { upstream: told } = finding;
  const own = rows.upstream.filter(({ role }) => role !== undefined);
  if (told !== undefined) {
    const sent = own.filter(({ request }) => request !== undefined && request.length > 1);
    const row = sent.findLast(({ request }) => told.includes(request?.slice(0, 60) ?? '')) ?? own.at(-1);
    if (row !== undefined) return { lane: 'upstream', row, at: row.from_ms };
  }
  const answer = rows.client.find(({ role }) => role === 'shows');
  return answer === undefined ? null : { lane: 'client', row: answer, at: answer.to_ms ?? answer.from_ms };
}

/** The rows with a role, and other rows close to the moment. */
function laneOf(rows: readonly TimelineRow[], at: number, source: unknown = null): TimelineLane {
  if (typeof source === 'string') return { rows: [], no_source: source };
  const away = ({ from_ms: from }: TimelineRow): number => Math.abs(from - at);
  const [own, others] = [
    rows.filter(({ role }) => role !== undefined),
    rows.filter(({ role }) => role === undefined),
  ];
  const nearest = (some: readonly TimelineRow[], most: number): readonly TimelineRow[] =>
    some.toSorted((one, other) => away(one) - away(other)).slice(0, most);
  const told = own.filter(({ role }) => role !== 'same');
  const kept = [
    ...told,
    ...nearest(
      own.filter(({ role }) => role === 'same'),
      maxOwn - told.length,
    ),
    ...nearest(others, maxOthers),
  ].toSorted((one, other) => one.from_ms - other.from_ms);
  return { rows: kept, ...(rows.length > kept.length && { left_out: rows.length - kept.length }) };
}

function earliest(lanes: Readonly<Record<LaneName, TimelineLane>>): number {
  return Math.min(...Object.values(lanes).flatMap(({ rows }) => rows.map(({ from_ms: from }) => from)));
}

function latest(lanes: Readonly<Record<LaneName, TimelineLane>>, at: number): number {
  const ends = Object.values(lanes).flatMap(({ rows }) => rows.map((row) => row.to_ms ?? row.from_ms));
  return Math.max(at, ...ends);
}

/** The most characters of a row's texts. */
const [longestLabel, longestPath, longestNote, longestBody] = [80, 200, 200, 700];

/** A row for the report: whole milliseconds, no secrets, no long texts. */
function finished(row: TimelineRow, redact: Redact): TimelineRow {
  const cut = (text: string, most: number): string => {
    const shown = redact(text);
    return shown.length > most ? `${shown.slice(0, most)}…` : shown;
  };
  const whole = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));
  const { note, request, answer, pieces_ms: pieces } = row;
  return {
    ...row,
    label: cut(row.label, longestLabel),
    path: cut(row.path, longestPath),
    from_ms: Math.round(row.from_ms),
    first_byte_ms: whole(row.first_byte_ms),
    to_ms: whole(row.to_ms),
    ...(note !== undefined && { note: cut(note, longestNote) }),
    ...(pieces !== undefined && { pieces_ms: pieces.map(Math.round) }),
    ...(request !== undefined && { request: cut(request, longestBody) }),
    ...(answer !== undefined && { answer: cut(answer, longestBody) }),
  };
}
