import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckClock } from '../../engine/parts/check-clock.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { asksAtMost, retryHintOf } from '../../oracle/retry-hint.ts';
import { must } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { mustServe, openBreakers } from '../../steps/failures/outage-state.ts';
import { type BreakerBudget, breakerBudgetsOf, routedCall } from '../../steps/failures/routed-call.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

/** The longest Retry-After, seconds: without a hint from upstream, and for an outage (B-110). */
const fullS = 10;
const outageS = 60;

/** The pause that an upstream requests, s. */
const askedS = 4;

export const hintsAreKept = defineCheck({
  id: 'route.hint.retry-after',
  title: 'any Retry-After is short enough, and a call made then gets through after an outage',
  requirements: ['ROUTE-017'],
  kind: 'timing',
  needs: ['upstream.control', 'time'],
  clock: 'jump',
  run: async (parts) => {
    const { tenants, target } = parts;
    const [ill, crowded] = breakerBudgetsOf(tenants, dialectModels(target).slice(0, 2));
    if (ill === undefined) return;
    await judgeOutageHint(parts, ill);
    if (crowded !== undefined) await judgeFullHint(parts, crowded);
  },
});

async function judgeOutageHint(parts: CheckParts, budget: BreakerBudget): Promise<void> {
  const { target, clock } = parts;
  await openBreakers(parts, budget);
  const [coolDownMs = outageS * 1_000] = target.profile.upstream?.breaker?.cool_down_ms ?? [];
  const first = await routedCall(budget, {}, { label: 'an outage' });
  const maxS = Math.max(1, Math.min(outageS, Math.ceil(coolDownMs / 1_000)));
  const waitS = judgeHint(parts, first.exchange, maxS, 'outage-hint');
  if (waitS === null) return;
  // Halfway through the cool-down less of it is left.
  const half = Math.floor(coolDownMs / 2);
  await clock.elapse(half);
  const middle = await routedCall(budget, {}, { label: 'an outage, half over' });
  const leftS = judgeHint(parts, middle.exchange, Math.ceil((coolDownMs - half) / 1_000), 'outage-remaining');
  await comeBack(clock, budget, leftS ?? waitS);
}

async function judgeFullHint(parts: CheckParts, budget: BreakerBudget): Promise<void> {
  const busy: Reply = {
    status: 429,
    headers: { 'retry-after': String(askedS) },
    body: { error: { message: 'Too many requests.', code: 'rate_limit_exceeded' } },
  };
  const full = await routedCall(budget, { '*': [busy] }, { label: 'all channels busy' });
  judgeHint(parts, full.exchange, Math.max(fullS, askedS), 'full-hint');
}

/** Judges the hint of a refusal: absent, or from 1 to `maxS` seconds from now. */
function judgeHint(
  { cases, clock }: CheckParts,
  exchange: Exchange,
  maxS: number,
  aspect: string,
): number | null {
  cases.count();
  const hint = retryHintOf(exchange, clock.now());
  if (hint === null || isSuccess(exchange)) return null;
  const expected = `Retry-After of 1 to ${maxS} whole seconds, or none`;
  const actual = hint.text;
  must(asksAtMost(hint, maxS), { requirement: 'ROUTE-017', aspect, expected, actual, exchange });
  return hint.seconds;
}

/** Judges that a caller that waits for Retry-After is not refused again. */
async function comeBack(clock: CheckClock, budget: BreakerBudget, afterS: number): Promise<void> {
  await clock.elapse(afterS * 1_000);
  const call = await routedCall(budget, {}, { label: `${afterS} s later, as Retry-After said` });
  const expected = `an answer after the ${afterS} s that Retry-After said`;
  mustServe(call, { requirement: 'ROUTE-017', aspect: 'hint-holds', expected });
}
