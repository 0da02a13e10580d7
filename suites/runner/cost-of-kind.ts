import { type CheckFacts, clockRank } from '../engine/check.ts';

/** Kinds of checks by the cost of their evidence, cheapest first. */
const kindsByCost: readonly CheckFacts['kind'][] = [
  'example',
  'metamorphic',
  'upstream',
  'property',
  'concurrency',
  'timing',
];

/** Compares two checks for sorting: the cheaper kind first, and those that move the clock last. */
export function byCost(a: CheckFacts, b: CheckFacts): number {
  return costOf(a) - costOf(b);
}

function costOf(check: CheckFacts): number {
  return clockRank(check) * kindsByCost.length + kindsByCost.indexOf(check.kind);
}
