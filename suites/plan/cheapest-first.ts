import type { CheckFacts } from '../engine/check.ts';
import { mediaModel } from '../oracle/media/models.ts';
import type { Budget } from '../profile/money.ts';
import { widestFirst } from '../runner/widest-first.ts';
import { type CheckCosts, callsOf, largestCost } from './check-costs.ts';

/**
 * The order of a run: the cheapest checks first. Where time or exchanges may run out, those first
 * that judge most rules for what they take.
 * @param budget what bounds the run
 */
export function inOrderOfCost<C extends CheckFacts>(
  checks: readonly C[],
  costs: CheckCosts,
  budget: Budget,
): C[] {
  const compare = cheapestFirst(costs);
  const mayRunOut = budget.minutes !== undefined || budget.exchanges !== undefined;
  const isPaid = budget.usd !== undefined || budget.tokens !== undefined;
  if (!mayRunOut || isPaid) return checks.toSorted(compare);
  const isByTime = budget.minutes !== undefined;
  return widestFirst(checks, compare, ({ id }) => {
    const { ms = 0, exchanges = 0 } = largestCost(costs, id) ?? {};
    return isByTime ? ms + leastMs : exchanges + 1;
  });
}

/** No check takes less: a little more or less time is chance, ms. */
const leastMs = 250;

/** The weight of a check: its tasks, pictures and tokens that are paid for. */
type Weight = readonly [tasks: number, pictures: number, tokens: number];

/**
 * Compares checks by what they cost, the cheapest first: those that pay for nothing, then chats by their tokens, pictures,
 * tasks. It needs no prices, since no list has a task below a picture below a few tokens. Checks that move the clock go
 * last, since nothing runs beside them.
 */
export function cheapestFirst(costs: CheckCosts): (a: CheckFacts, b: CheckFacts) => number {
  return (a, b) => {
    const jumps = Number(a.clock === 'jump') - Number(b.clock === 'jump');
    if (jumps !== 0) return jumps;
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
