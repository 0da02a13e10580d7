import type { Check } from '../../../suites/engine/check.ts';

/** A check that takes longer is not for a first look, ms. */
const longestMs = 8_000;

/**
 * The checks for a first look: in their order, but those that take long, or hold up all others by moving the clock, last.
 */
export function shortFirst(checks: readonly Check[], msOf: (id: string) => number): Check[] {
  const isShort = ({ id, clock }: Check): boolean => clock === undefined && msOf(id) <= longestMs;
  return [...checks.filter(isShort), ...checks.filter((check) => !isShort(check))];
}
