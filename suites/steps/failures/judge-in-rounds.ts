import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Violation } from '../../rules/violation.ts';
import { triedInRounds } from '../tenants/side-by-side.ts';
import { servedAgain } from './served-again.ts';

/** Good calls after each failing one, which keep the breaker closed. */
const goodCalls = 3;

/** Judges upstream failures, those of different models at once, and after each round that its models serve again. */
export function judgeInRounds<T extends { readonly model: string }>(
  parts: CheckParts,
  failures: readonly T[],
  requirement: string,
  each: (own: CheckParts, failure: T, nth: number) => Promise<void>,
): Promise<(Violation | null)[]> {
  const recovers = { requirement, aspect: 'recovers' };
  const all = (own: CheckParts, round: readonly T[]): Promise<void> => {
    const models = round.map(({ model }) => model);
    return servedAgain(own, models, recovers, goodCalls);
  };
  return triedInRounds(parts, failures, ({ model }) => model, { each, all });
}
