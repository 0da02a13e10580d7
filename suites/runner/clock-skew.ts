import { type Exchange, header } from '../wire/exchange.ts';

/** The smallest reported skew, ms. A Date header has whole seconds and an answer takes time, so less proves nothing. */
const leastSkewMs = 5_000;

/**
 * How far the clock of a deployment is ahead of ours, by the `Date` of an answer, ms; 0 where it shows our time or
 * none. A deployment whose clock was moved in tests, or is wrong, is judged by its own time.
 */
export function clockSkewIn(exchange: Exchange): number {
  const shown = Date.parse(header(exchange, 'date') ?? '');
  if (Number.isNaN(shown)) return 0;
  // The server made the header between these times, and rounded it down to a second.
  const [earliest, latest] = [shown - exchange.endedAt, shown + 1_000 - exchange.sentAt];
  const skewMs = Math.round((earliest + latest) / 2);
  return Math.abs(skewMs) < leastSkewMs ? 0 : skewMs;
}

/** A sentence about how far the clock is ahead of ours, or behind it. */
export function skewInWords(skewMs: number): string {
  const away = Math.abs(skewMs);
  const [count, unit] = units
    .map(([name, ms]) => [Math.round(away / ms), name] as const)
    .find(([whole]) => whole >= 2) ?? [Math.round(away / 1_000), 'seconds'];
  return `its clock is ${count} ${unit} ${skewMs > 0 ? 'ahead of' : 'behind'} ours by its Date header: its times are judged by its own clock`;
}

const units = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1_000],
] as const;
