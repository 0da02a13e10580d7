import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { answerText } from '../../oracle/error-leaks.ts';
import { advise, must, type Violation } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { triedInRounds } from '../tenants/side-by-side.ts';
import { servedAgain } from './served-again.ts';

/** Judges that an answer contains none of these texts of the upstream; `what` names where they came from. */
export function judgeHidden(
  exchange: Exchange,
  secrets: readonly string[],
  requirement: string,
  what: string,
): void {
  const seen = answerText(exchange);
  must(!secrets.some((secret) => seen.includes(secret)), {
    requirement,
    aspect: 'no-upstream-text',
    expected: 'an answer without any text of the upstream',
    actual: `text of ${what} in the answer`,
    exchange,
  });
}

/**
 * Advises an immediate second attempt at another channel after a failure of the upstream itself. It is not required (reading
 * B-106).
 */
export function adviseSecondAttempt(exchange: Exchange, what: string, actual: string): void {
  advise(false, {
    requirement: 'ROUTE-002',
    aspect: 'at-once',
    expected: `${what} at another channel at once (reading B-106)`,
    actual,
    exchange,
  });
}

/** How many good calls follow each failing one, to keep the breaker closed. */
const goodCalls = 3;

/** Judges upstream failures, with different models at once. After each round, it judges that the models serve again. */
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
