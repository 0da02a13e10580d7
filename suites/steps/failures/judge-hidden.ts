import { answerText } from '../../oracle/error-leaks.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

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
