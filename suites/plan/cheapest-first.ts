import type { Size } from 'gatecheck-reports/report';
import { type CheckFacts, clockRank } from '../engine/check.ts';
import { mediaModel } from '../oracle/media/models.ts';
import type { Budget } from '../profile/money.ts';
import type { Profile } from '../profile/profile.ts';
import { mayBreakOpen } from '../runner/outage.ts';
import { widestFirst } from '../runner/widest-first.ts';
import { type CheckCosts, callsOf, largestCost } from './check-costs.ts';
import { lackedFacts, measuredCost, onceSent } from './expected-cost.ts';

/** What decides in which order a run that may stop early judges. */
export interface Course {
  /** What bounds the run. */
  readonly budget: Budget;
  readonly profile: Profile;
  readonly size: Size;
  /** How long an exchange takes beside the work of the suites. */
  readonly latencyMs: number;
}

/** Rules about upstreams that fail. */
const ofFailures =
  /^(?:ROUTE-.*|ERR-0(?:09|10|27|29|30|31)|SSE-016|BILL-008|STATE-006|COMPA-020|COMPB-01[67])$/;

/** Whether a check breaks upstreams, so that a circuit breaker may open: 2; only scripts them: 1; leaves them alone: 0. */
function harmOf({ id, needs, requirements }: CheckFacts): number {
  if (!needs.includes('upstream.control')) return 0;
  const isOfFailures = requirements.some((rule) => ofFailures.test(rule));
  return isOfFailures || /^faults\.|upstream-(?:failure|cut)/.test(id) ? 2 : 1;
}

/**
 * The order of a run: the cheapest checks first. Where time or exchanges may run out, those first
 * that judge most rules for what they take; checks that lack a fact judge none. Where the suites may open a breaker that nobody
 * declared, checks that break upstreams come last.
 */
export function inOrderOfCost<C extends CheckFacts>(
  checks: readonly C[],
  costs: CheckCosts,
  course: Course,
): C[] {
  const ordered = byCost(checks, costs, course);
  return mayBreakOpen(course.profile)
    ? ordered.toSorted((a, b) => clockRank(a) - clockRank(b) || harmOf(a) - harmOf(b))
    : ordered;
}

function byCost<C extends CheckFacts>(checks: readonly C[], costs: CheckCosts, course: Course): C[] {
  const { budget, profile, size, latencyMs } = course;
  const compare = cheapestFirst(costs);
  const mayRunOut = budget.minutes !== undefined || budget.exchanges !== undefined;
  const isPaid = budget.usd !== undefined || budget.tokens !== undefined;
  if (!mayRunOut || isPaid) return checks.toSorted(compare);
  const isByTime = budget.minutes !== undefined;
  const able = checks.filter((check) => lackedFacts(check, costs, profile).length === 0);
  const ordered = widestFirst(able, compare, ({ id }) => {
    const { ms = 0, exchanges: quick = 0 } = measuredCost(costs.checks[id], profile) ?? {};
    const { smoke } = costs.checks[id] ?? {};
    const few = smoke === undefined ? Math.min(quick, mostInSmoke) : onceSent(smoke);
    const exchanges = size === 'smoke' ? few : quick;
    return isByTime ? ms + leastMs + exchanges * latencyMs : exchanges + 1;
  });
  return [...ordered, ...checks.filter((check) => !able.includes(check))];
}

/** A check that was not measured in the smoke size sends no more there, as most. */
const mostInSmoke = 30;

/** No check takes less: a little more or less time is chance, ms. */
const leastMs = 250;

/** The weight of a check: its tasks, images and tokens that are paid for. */
type Weight = readonly [tasks: number, pictures: number, tokens: number];

/**
 * Compares checks by what they cost, the cheapest first: those that pay for nothing, then chats by their tokens, images,
 * tasks. It needs no prices, since no list has a task below an image below a few tokens. Checks that move the clock go
 * last, since nothing runs beside them.
 */
export function cheapestFirst(costs: CheckCosts): (a: CheckFacts, b: CheckFacts) => number {
  return (a, b) => {
    const ranks = clockRank(a) - clockRank(b);
    if (ranks !== 0) return ranks;
    const [one, other] = [weightOf(costs, a.id), weightOf(costs, b.id)];
    return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
  };
}

function weightOf(costs: CheckCosts, id: string): Weight {
  let [tasks, pictures, tokens] = [0, 0, 0];
  for (const [model, counts] of Object.entries(largestCost(costs, id)?.models ?? {})) {
    const calls = callsOf(counts);
    const media = mediaModel(model);
    if (media === undefined) tokens += calls.prompt_tokens + calls.completion_tokens;
    else if (media.endpoint === 'images') pictures += calls.images;
    else tasks += calls.paid;
  }
  return [tasks, pictures, tokens];
}
