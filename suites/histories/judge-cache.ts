import { callOf, dialectOf as dialectOfCallers } from '../oracle/exchange/call.ts';
import { readAnswer } from '../oracle/exchange/said.ts';
import { saidCounts } from '../oracle/exchange/said-counts.ts';
import { dollarText, type Pico } from '../oracle/money.ts';
import { dialectOf } from '../oracle/native/dialects.ts';
import type { UsageCounts } from '../oracle/price.ts';
import type { Foretold } from '../oracle/world/cache-book.ts';
import { must } from '../rules/violation.ts';
import type { Due } from '../steps/money/pricing.ts';
import type { Exchange } from '../wire/exchange.ts';

/** The counts in an answer, on any path; null when it has none. */
function shownCounts(exchange: Exchange): UsageCounts | null {
  const call = callOf(exchange);
  const dialect = call === null ? null : dialectOfCallers(call.protocol);
  const said = call === null ? null : readAnswer(exchange, call);
  return said === null || dialect === null ? null : saidCounts(dialect, said.counts);
}

/** Judges that an answer reports as many cached tokens as its upstream counted. */
export function judgeReported(
  exchange: Exchange,
  { least, most }: Record<'least' | 'most', UsageCounts>,
): void {
  const counts = shownCounts(exchange);
  if (counts === null || least !== most) return;
  const { cached_tokens: read } = most;
  must(counts.cached_tokens === read, {
    ...(read === 0
      ? { requirement: 'CACHE-009', aspect: 'no-read-made-up' }
      : { requirement: 'CACHE-007', aspect: 'read-reported' }),
    expected: `cached_tokens ${read}`,
    actual: JSON.stringify(counts),
    exchange,
  });
}

/** Judges that an answer reports a read from a live cache entry, and none from an expired one. */
export function judgeRead(foretold: Foretold, exchange: Exchange): void {
  const counts = shownCounts(exchange);
  if (counts === null) return;
  const { read } = foretold;
  const due = read === null ? 'no token from a cache' : `tokens from its ${read.life} slot`;
  must(counts.cached_tokens > 0 === (read !== null), {
    ...readRule(foretold, callOf(exchange)?.stream === true),
    expected: `${due}: ${read === null ? 'no slot of it is left' : `it was used ${read.idleMs} ms ago`}`,
    actual: `cached_tokens ${counts.cached_tokens}`,
    exchange,
  });
}

/**
 * Up to this long after the last use of a cache entry a missing read breaks CACHE-006; later it breaks the lifetime rule, ms.
 */
const soonMs = 60_000;

function readRule(
  { read, ended }: Foretold,
  isStream: boolean,
): { readonly requirement: string; readonly aspect: string } {
  if (read === null)
    return { requirement: 'CACHE-009', aspect: ended === null ? 'no-read-made-up' : `ends-${ended}` };
  if (read.idleMs > soonMs) return { requirement: 'CACHE-009', aspect: `lives-${read.life}` };
  return { requirement: 'CACHE-006', aspect: isStream ? 'streamed-hits' : 'second-hits' };
}

/** Judges that the upstream was asked to keep what the caller asked to keep, for the same lifetime. */
export function judgeKept({ written }: Foretold, counts: UsageCounts, exchange: Exchange): void {
  const kept = { '5m': counts.cache_write_5m_tokens > 0, '1h': counts.cache_write_1h_tokens > 0 };
  for (const life of ['5m', '1h'] as const)
    must(kept[life] === written.includes(life), {
      requirement: 'CACHE-009',
      aspect: 'kept-as-asked',
      expected: `${written.includes(life) ? '' : 'no '}tokens written to a ${life} slot`,
      actual: JSON.stringify(counts),
      exchange,
    });
}

/** The rule about the only special kind of token here. With several kinds it is the rule about the whole charge. */
export function chargeRule(
  model: string,
  counts: UsageCounts,
  isHinted: boolean,
): { requirement: string; aspect: string } {
  const isBeta = dialectOf(model) === 'messages';
  if (isHinted && !isBeta) return { requirement: 'CACHE-005', aspect: 'hint-costs-nothing' };
  const special = [
    { count: counts.cache_write_5m_tokens, requirement: 'CACHE-001', aspect: 'five-minute-factor' },
    { count: counts.cache_write_1h_tokens, requirement: 'CACHE-002', aspect: 'one-hour-factor' },
    {
      count: counts.cached_tokens,
      ...(isBeta
        ? { requirement: 'CACHE-003', aspect: 'hit-factor' }
        : { requirement: 'CACHE-005', aspect: 'own-rate' }),
    },
  ].filter(({ count }) => count > 0);
  const [first] = special;
  return special.length === 1 && first !== undefined
    ? { requirement: first.requirement, aspect: first.aspect }
    : { requirement: 'BILL-002', aspect: 'exact-charge' };
}

interface Paid {
  readonly exchange: Exchange;
  readonly charge: Pico;
  readonly due: Due;
  readonly counts: UsageCounts;
}

export function judgeCharge(
  rule: { readonly requirement: string; readonly aspect: string },
  { exchange, charge, due: { least, most }, counts }: Paid,
): void {
  const range = least === most ? dollarText(most) : `${dollarText(least)} to ${dollarText(most)}`;
  must(least <= charge && charge <= most, {
    ...rule,
    expected: `${range} for ${JSON.stringify(counts)}`,
    actual: dollarText(charge),
    exchange,
  });
}
