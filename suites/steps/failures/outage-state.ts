import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { type Exchange, isSuccess, jsonOf } from '../../wire/exchange.ts';
import { type BreakerBudget, type RoutedCall, routedCall, serverFault } from './routed-call.ts';

/** The longest time for an answer when no channel is available, ms (register: ROUTE-009). */
export const quickMs = 4_000;

/** After this many consecutive failures, a deployment without declared limits must have opened its breaker. */
const undeclaredFailures = 20;

/**
 * How soon after its last failure a healthy upstream must serve again, ms ("Retry in 30 to 60 seconds"). It applies whatever
 * a deployment declares (specification, "Errors"; reading B-108).
 */
export const longestOutageMs = 60_000;

export interface OutOptions {
  /** The breakers may close after this time; see {@link openBreakers}. */
  readonly until: number;
  readonly stream?: boolean;
  /** The rule for a wrong code. Default: the rule on outages. */
  readonly rule?: { readonly requirement: string; readonly aspect: string };
}

/**
 * Codes of a call when the breakers of all its channels are open. One code where the deployment declares its
 * limits; otherwise either (B-105).
 */
export function outageCodes(target: Target): readonly ErrorCode[] {
  return target.profile.upstream?.breaker === undefined
    ? ['channel_outage', 'channel_queue_full']
    : ['channel_outage'];
}

/**
 * Makes every call of a model fail at its upstreams until the deployment has opened all breakers.
 * @returns the time until which they certainly stay open, ms on the deployment's clock.
 */
export async function openBreakers(
  { clock, target, cases }: CheckParts,
  budget: BreakerBudget,
): Promise<number> {
  if (target.profile.absent.includes('upstream.breaker')) throw new Untestable('upstream.breaker');
  let before = clock.now();
  const row = target.profile.upstream?.breaker?.consecutive_failures ?? undeclaredFailures;
  const max = (row + 3) * Math.max(1, budget.channels.length);
  let last: RoutedCall | null = null;
  for (let call = 0; call < max; call += 1) {
    cases.signal.throwIfAborted();
    const began = clock.now();
    last = await routedCall(budget, { '*': [serverFault] }, { label: `${budget.model}, failing upstream` });
    if (last.channels.length === 0) return before + coolDownsOf(target)[0];
    // The first of several channels may have opened its breaker a few calls earlier.
    if (call === 0 || budget.channels.length < 2) before = began;
  }
  must(false, {
    requirement: 'ROUTE-009',
    aspect: 'opens',
    expected: `no more upstream calls after ${max} calls of ${budget.model} that all failed upstream`,
    actual: 'the upstream is still called',
    exchange: last?.exchange,
  });
}

/** The first and the second cool-down, ms: as declared, but at most the specification's limit. */
export function coolDownsOf({ profile }: Target): [number, number] {
  const [first = longestOutageMs, next = first] = profile.upstream?.breaker?.cool_down_ms ?? [];
  return [Math.min(first, longestOutageMs), Math.min(next, longestOutageMs)];
}

/**
 * Judges a call while the breakers of all channels are open: refused as an outage, quickly, and without an
 * upstream call.
 */
export async function judgeOut(
  { clock, judge, cases, target }: CheckParts,
  budget: BreakerBudget,
  label: string,
  { until, stream = false, rule = { requirement: 'ROUTE-009', aspect: 'outage-code' } }: OutOptions,
): Promise<void> {
  // The upstream is scripted to fail, so a call that comes too late cannot close a breaker as a good probe.
  const { exchange, channels } = await routedCall(budget, { '*': [serverFault] }, { label, stream });
  if (clock.now() >= until) {
    judge.note('a cool-down ended before everything could be judged');
    return;
  }
  cases.count();
  must(channels.length === 0, {
    requirement: 'ROUTE-009',
    aspect: 'no-upstream-call',
    expected: `no upstream call for ${budget.model} while its breakers are open (${label})`,
    actual: `${channels.length} at ${channels.join(', ')}`,
    exchange,
  });
  judge.refused(exchange, { ...rule, codes: outageCodes(target), param: null });
  judgeQuick(exchange);
}

/** Judges that a refusal during an outage came quickly. */
export function judgeQuick(exchange: Exchange): void {
  const tookMs = exchange.response?.endMs ?? Number.POSITIVE_INFINITY;
  const expected = `an answer within ${quickMs} ms: no upstream is left to wait for`;
  const actual = `${Math.round(tookMs)} ms`;
  must(tookMs < quickMs, { requirement: 'ROUTE-009', aspect: 'quick', expected, actual, exchange });
}

/** Whether a good call was served, whatever the reason if not. */
export function isServed({ exchange }: RoutedCall): boolean {
  return isSuccess(exchange) && exchange.response.complete;
}

/** The text of a non-streamed answer; empty when there is none. */
export function textOf({ exchange }: RoutedCall): string {
  const { choices = [] } = (jsonOf(exchange) ?? {}) as { choices?: { message?: { content?: unknown } }[] };
  const content = choices[0]?.message?.content;
  return typeof content === 'string' ? content : '';
}

/** Judges that a good call is served. */
export function mustServe(
  call: RoutedCall,
  rule: { readonly requirement: string; readonly aspect: string; readonly expected: string },
): void {
  const { exchange, channels } = call;
  const actual = `HTTP ${exchange.response?.status} after ${channels.length} upstream calls`;
  must(isServed(call), { ...rule, actual, exchange });
}
