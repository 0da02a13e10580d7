import type { TimelineRow } from 'gatecheck-reports/failure-timeline';
import { type TracedExchange, tracedOf } from '../../engine/parts/exchange-trace.ts';
import type { Finding } from '../../rules/violation.ts';
import { isSame } from './is-same.ts';
import type { Surroundings } from './surroundings.ts';

/** The caller's requests: all requests of a check, and the failure's own exchange if the trace lacks it. */
export function clientRows(
  { exchange, twin }: Finding,
  around: Surroundings,
  ties: ReadonlySet<string>,
): TimelineRow[] {
  const isOf = (one: TracedExchange, other: typeof exchange): boolean =>
    other !== undefined && isSame(one, other);
  const roleOf = (one: TracedExchange): TimelineRow['role'] => {
    if (isOf(one, exchange)) return 'shows';
    if (isOf(one, twin)) return 'twin';
    return one.ties.some((tie) => ties.has(tie)) ? 'same' : undefined;
  };
  return lacking(exchange, around).map((one) => rowOf(one, around, roleOf(one)));
}

/**
 * Adds the failure's exchange when the trace lacks it, as after a write to a raw socket. Events at a receiver are not the
 * caller's requests.
 */
function lacking(
  exchange: Finding['exchange'],
  { client, receiver }: Surroundings,
): readonly TracedExchange[] {
  if (exchange === undefined || client.some((one) => isSame(one, exchange))) return client;
  const { sentAt, request } = exchange;
  const isEvent =
    typeof receiver !== 'string' &&
    receiver.some((one) => one.began_ms === sentAt && request.url.endsWith(one.target));
  return isEvent ? client : [...client, tracedOf(exchange)];
}

function rowOf(one: TracedExchange, { timeOf }: Surroundings, role: TimelineRow['role']): TimelineRow {
  const { label, method, url, status, error, sentAt, firstByteAt, endedAt, piecesAt } = one;
  return {
    ...{ label, method, status },
    path: url.replace(/^[a-z]+:\/\/[^/]*/, ''),
    from_ms: timeOf(sentAt, 'start'),
    first_byte_ms: firstByteAt === null ? null : timeOf(firstByteAt),
    to_ms: timeOf(endedAt),
    ...(error !== null && { note: error }),
    ...(role !== undefined && { role }),
    ...(piecesAt.length > 1 && role !== undefined && { pieces_ms: piecesAt.map((at) => timeOf(at)) }),
  };
}
