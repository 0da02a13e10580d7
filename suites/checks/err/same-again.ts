import type { ErrorBody } from '../../oracle/refusal.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Judges that a repeated request got the same error as the first time. */
export function judgeSameAgain(exchange: Exchange, again: ErrorBody, first: ErrorBody): void {
  const shown = ({ code, param }: ErrorBody): string => `${code} with param ${JSON.stringify(param)}`;
  const [actual, wanted] = [shown(again), shown(first)];
  const expected = `${wanted}, as the first time`;
  must(actual === wanted, { requirement: 'ERR-013', aspect: 'same-again', expected, actual, exchange });
}
