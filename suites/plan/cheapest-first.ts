import type { Size } from 'gatecheck-reports/report';
import { type CheckFacts, clockRank } from '../engine/check.ts';
import { mediaModel } from '../oracle/media/models.ts';
import type { Budget } from '../profile/money.ts';
import type { Profile } from '../profile/profile.ts';
import { mayBreakOpen } from '../runner/outage.ts';
import { widestFirst } from '../runner/widest-first.ts';
import { type CheckCosts, callsOf, largestCost } from './check-costs.ts';
import { lackedFacts, measuredCost, onceSent } from './expected-cost.ts';

/** What determines the order of checks in a run that may stop early. */
export interface Course {
  /** The limits of the run. */
  readonly budget: Budget;
  readonly profile: Profile;
  readonly size: Size;
  /** How long an exchange takes besides the work of the suites, ms. */
  readonly latencyMs: number;
}

/** Rules about failing upstreams. */
const ofFailures =
  /^(?:ROUTE-.*|ERR-0(?:09|10|27|29|30|31)|SSE-016|BILL-008|STATE-006|COMPA-020|COMPB-01[67])$/;

/**
 * How much a check disturbs upstreams. 2: it breaks them, so a circuit breaker may open. 1: it only scripts them. 0: it
 * leaves them alone.
 */
function harmOf({ id, needs, requirements }: CheckFacts): number {
  if (!needs.includes('upstream.control')) return 0;
  const isOfFailures = requirements.some((rule) => ofFailures.test(rule));
  return isOfFailures || /^faults\.|upstream-(?:failure|cut)/.test(id) ? 2 : 1;
}

/**
 * The order of a run: the cheapest checks first. When time or exchanges may run out, the checks that judge most rules for
 * their cost come first. Checks that lack a fact judge none. When an undeclared breaker may open, checks that break upstreams
 * come last.
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

/** The most exchanges in the smoke size of a check that was not measured in it. */
const mostInSmoke = 30;

/** The least time of a check, ms: smaller differences are chance. */
const leastMs = 250;

/** The weight of a check: the tasks, images and tokens that it pays for. */
type Weight = readonly [tasks: number, pictures: number, tokens: number];

/**
 * Compares checks by their cost, cheapest first. Free checks come first, then chats by their tokens, then images, then tasks.
 * This needs no prices, since in every price list a task costs more than an image, and an image more than a few tokens.
 * Checks that move the clock go last, since nothing runs beside them.
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
