import { advise } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Advises to try a call whose upstream failed by itself at another channel at once; it need not be (reading B-106). */
export function adviseSecondAttempt(exchange: Exchange, what: string, actual: string): void {
  advise(false, {
    requirement: 'ROUTE-002',
    aspect: 'at-once',
    expected: `${what} at another channel at once (reading B-106)`,
    actual,
    exchange,
  });
}
