import type { TimelineRow } from 'gatecheck-reports/failure-timeline';
import { marksIn } from '../../engine/parts/exchange-trace.ts';
import type { ReceivedRequest } from '../../receiver/protocol.ts';
import type { Finding } from '../../rules/violation.ts';
import { isJsonObject, parseJson } from '../../values/json.ts';
import type { Surroundings } from './surroundings.ts';

/** The most bytes of an event that are kept. */
const bytesOfEvent = 700;

/** The requests that reached the inboxes of a check. */
export function receiverRows(
  { exchange, twin }: Finding,
  around: Surroundings,
  ties: ReadonlySet<string>,
): TimelineRow[] {
  const { receiver } = around;
  if (typeof receiver === 'string') return [];
  const isOf = (one: ReceivedRequest, other: typeof exchange): boolean =>
    other !== undefined && other.sentAt === one.began_ms && other.request.url.endsWith(one.target);
  return receiver.map((one) => {
    const isTied = marksIn(Buffer.from(one.target)).some((mark) => ties.has(mark));
    const role = isOf(one, exchange) ? 'shows' : isOf(one, twin) ? 'twin' : isTied ? 'same' : undefined;
    return rowOf(one, around, role);
  });
}

function rowOf(one: ReceivedRequest, { timeOf }: Surroundings, role: TimelineRow['role']): TimelineRow {
  const { n, via, method, target, answered, began_ms: beganMs, cut } = one;
  const body = Buffer.from(one.body_base64, 'base64');
  const event = parseJson(body.toString('utf8'));
  const type = isJsonObject(event) && typeof event.type === 'string' ? `, ${event.type}` : '';
  const endedMs = answered.kind === 'status' ? answered.at_ms : null;
  const notes = [
    via !== 'https' && `where nothing may arrive: ${via}`,
    answered.kind !== 'status' && answered.kind,
    cut && 'the body is not whole',
  ].filter((note) => note !== false);
  return {
    label: `event ${n}${type}`,
    ...{ method, path: target, status: answered.kind === 'status' ? answered.status : null },
    from_ms: timeOf(beganMs, 'start'),
    first_byte_ms: endedMs === null ? null : timeOf(endedMs),
    to_ms: endedMs === null ? null : timeOf(endedMs),
    ...(notes.length > 0 && { note: notes.join(', ') }),
    ...(role !== undefined && { role, request: body.toString('utf8', 0, bytesOfEvent) }),
  };
}
