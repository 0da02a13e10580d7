import type { ErrorCode } from '../error-table.ts';
import { cellsOf, type FaultCell, type FaultFacts, type Verdict, verdictOf } from './fault-facts.ts';

/** The rule about the use of each code that a failing upstream can cause. */
const rowsOfCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  channel_queue_full: 'ERR-022',
  invalid_param: 'ERR-024',
  context_too_long: 'ERR-025',
  unsupported_capability: 'ERR-026',
  content_filter: 'ERR-027',
  upstream_error: 'ERR-029',
  channel_outage: 'ERR-030',
  upstream_timeout: 'ERR-031',
};

/** The rule under which a refusal is judged: that of the first code, which the verdict prefers. */
export function rowOfRefusal({ codes }: Pick<Verdict, 'codes'>): string {
  const [first] = codes;
  return (first === undefined ? undefined : rowsOfCodes[first]) ?? 'ERR-008';
}

/**
 * The rule about the text of an answer: a non-streamed one is unchanged, a stream neither loses nor repeats a
 * fragment.
 */
export function rowOfText({ call }: Pick<FaultCell, 'call'>): string {
  return call === 'plain' ? 'RESP-024' : 'SSE-020';
}

/** The rule about the number of upstream requests; null where the specification leaves it open. */
export function rowOfAttempts(verdict: Verdict, { call }: Pick<FaultCell, 'call'>): string | null {
  const [min, max] = verdict.attempts;
  if (call === 'stream' && verdict.seen.includes('broken')) return 'SSE-020';
  if (min === 2 && verdict.codes.includes('upstream_timeout')) return 'ROUTE-004';
  if (max !== 1 || verdict.seen.includes('served')) return null;
  const [code] = verdict.codes;
  if (code === 'content_filter') return 'ROUTE-013';
  if (code === 'upstream_error') return 'ROUTE-008';
  return code === 'context_too_long' || code === 'invalid_param' ? 'ROUTE-014' : null;
}

/** The requirements that the check of a fault judges, its main one first. */
export function rowsOfFault(facts: FaultFacts): [string, ...string[]] {
  const rows = cellsOf(facts).flatMap((cell) => rowsOfCell(verdictOf(facts, cell), cell));
  const [first = 'ERR-009', ...rest] = new Set(rows);
  return [first, ...rest];
}

function rowsOfCell(verdict: Verdict, cell: FaultCell): string[] {
  const { seen, codes } = verdict;
  const fails = seen.includes('refused') || seen.includes('broken');
  const attempts = rowOfAttempts(verdict, cell);
  return [
    ...(seen.includes('broken') ? ['SSE-016'] : []),
    ...(seen.includes('refused') && codes.length > 0 ? [rowOfRefusal(verdict)] : []),
    ...(seen.includes('served') && verdict.text !== 'any' ? [rowOfText(cell)] : []),
    ...(seen.includes('served') ? [cell.call === 'plain' ? 'RESP-023' : 'SSE-001'] : []),
    ...(seen.includes('served') && verdict.usage !== 'any' ? ['RESP-022'] : []),
    ...(fails ? ['ERR-009', 'ROUTE-015'] : []),
    ...(attempts === null ? [] : [attempts]),
    ...(verdict.elsewhere === 'served' && !seen.includes('served') ? ['ROUTE-002'] : []),
    ...(verdict.breaker === 'ignored' && codes.includes('content_filter') ? ['ROUTE-013'] : []),
  ];
}
