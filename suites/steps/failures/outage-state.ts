import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { must } from '../../rules/violation.ts';
import { jsonOf } from '../../wire/exchange.ts';
import { type BreakerBudget, type RoutedCall, routedCall, serverFault } from './routed-call.ts';

/** Longest answer to a call that no channel may take, ms (register: ROUTE-009). */
export const quickMs = 2_000;

/** Failures in a row after which a deployment that declares nothing must have given a channel up. */
const undeclaredFailures = 20;

/** Codes of a call whose channels are all given up: one, where the deployment says when it does so; else either (B-105). */
export function outageCodes(target: Target): readonly ErrorCode[] {
  return target.profile.upstream?.breaker === undefined
    ? ['channel_outage', 'channel_queue_full']
    : ['channel_outage'];
}

/**
 * Lets every call of a model fail at its upstreams until the deployment gives them all up.
 * @returns the time up to which they surely stay so, ms on the deployment's clock.
 */
export async function openBreakers(
  { clock, target, cases }: CheckParts,
  budget: BreakerBudget,
): Promise<number> {
  let before = clock.now();
  const row = target.profile.upstream?.breaker?.consecutive_failures ?? undeclaredFailures;
  const max = (row + 3) * Math.max(1, budget.channels.length);
  let last: RoutedCall | null = null;
  for (let call = 0; call < max; call += 1) {
    cases.signal.throwIfAborted();
    const began = clock.now();
    last = await routedCall(budget, { '*': [serverFault] }, { label: `${budget.model}, failing upstream` });
    if (last.channels.length === 0) return before + coolDownsOf(target)[0];
    // The first of several channels may have been given up some calls earlier than the last.
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

/** A cool-down that nobody declared takes at least so long, ms. */
const undeclaredMs = 60_000;

/** The first cool-down and the one after it, ms. */
export function coolDownsOf({ profile }: Target): [number, number] {
  const [first = undeclaredMs, next = first] = profile.upstream?.breaker?.cool_down_ms ?? [];
  return [first, next];
}

export interface OutOptions {
  /** Later than this nothing can be said; see {@link openBreakers}. */
  readonly until: number;
  readonly stream?: boolean;
  /** The rule that the code itself proves; the one on outages when left out. */
  readonly rule?: { readonly requirement: string; readonly aspect: string };
}

/** A call while all channels of the model are given up: refused as an outage, quickly, and without an upstream call. */
export async function judgeOut(
  { clock, judge, cases, target }: CheckParts,
  budget: BreakerBudget,
  label: string,
  { until, stream = false, rule = { requirement: 'ROUTE-009', aspect: 'outage-code' } }: OutOptions,
): Promise<void> {
  // Should the call come late after all, it is no probe that closes anything.
  const { exchange, channels } = await routedCall(budget, { '*': [serverFault] }, { label, stream });
  if (clock.now() >= until) {
    judge.note('a cool-down was over before all could be seen that goes before');
    return;
  }
  cases.count();
  must(channels.length === 0, {
    requirement: 'ROUTE-009',
    aspect: 'no-upstream-call',
    expected: `no upstream call for ${budget.model} while its channels are given up (${label})`,
    actual: `${channels.length} at ${channels.join(', ')}`,
    exchange,
  });
  judge.refused(exchange, { ...rule, codes: outageCodes(target), param: null });
  const tookMs = exchange.response?.endMs ?? Number.POSITIVE_INFINITY;
  must(tookMs < quickMs, {
    requirement: 'ROUTE-009',
    aspect: 'quick',
    expected: `an answer within ${quickMs} ms: nobody has to be waited for`,
    actual: `${Math.round(tookMs)} ms`,
    exchange,
  });
}

/** Whether a good call was served, whatever was wrong when not. */
export function isServed({ exchange }: RoutedCall): boolean {
  return exchange.response?.status === 200 && exchange.response.complete;
}

/** The text of a plain answer; empty when there is none. */
export function textOf({ exchange }: RoutedCall): string {
  const { choices = [] } = (jsonOf(exchange) ?? {}) as { choices?: { message?: { content?: unknown } }[] };
  const content = choices[0]?.message?.content;
  return typeof content === 'string' ? content : '';
}
