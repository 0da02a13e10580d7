import { hasFailed } from '../../oracle/exchange/judge-exchange.ts';
import { modelsNamed } from '../../oracle/served.ts';
import { errorCodeOf } from '../../wire/exchange.ts';
import type { Spent } from './call-due.ts';

/** Whether the ledger may be queried for a call of this kind; `isMade` is for accounts that the check has made. */
export type MayAsk = (kind: string, isMade: boolean) => boolean;

type EndedCall = Omit<Spent, 'payers'>;

/** Whether a call can cause no further cost: its task has ended, or all upstream attempts of an abandoned call have. */
export function isOver({ exchange, call, attempts, end }: EndedCall): boolean {
  if (exchange.isLeft === true) return attempts?.every(({ ended }) => ended !== 'open') === true;
  return call.protocol !== 'submit' || end !== null || (exchange.response?.status ?? 0) >= 400;
}

/** Matches a count of tokens read from, or written to, a cache. */
const cached = /"cache[a-z_]*tokens?(?:count)?":\s*[1-9]/i;

/** A key for calls that ended alike, so that one of them stands for all. */
export function kindOf({ exchange, call, attempts, end }: EndedCall): string {
  const { response, isLeft } = exchange;
  const outcome = `${response?.status} ${errorCodeOf(exchange)} ${call.stream && hasFailed(exchange)} ${isLeft} ${end?.status} ${end?.error?.code}`;
  const ends = attempts?.map(
    ({ status, ended, answer }) =>
      `${status} ${ended} ${/"usage/.test(String(answer))} ${cached.test(String(answer))}`,
  );
  // A different model in the answer has its own prices.
  const isOther = exchange.isLeft !== true && modelsNamed(exchange).some((name) => name !== call.model);
  // A later step of a task takes other ways than a first one.
  const isLater = call.request !== null && 'parent_task_id' in call.request;
  return `${call.protocol} ${call.stream} ${outcome} ${ends?.join(', ')} ${isOther} ${isLater}`;
}
