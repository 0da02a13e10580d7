import type { Judge } from '../../engine/parts/judge.ts';
import { errorTable, isErrorCode } from '../../oracle/error-table.ts';
import type { ErrorBody, ExpectedRefusal } from '../../oracle/refusal.ts';
import { must } from '../../rules/violation.ts';
import { type Exchange, excerpt, jsonOf, outcomeOf } from '../../wire/exchange.ts';

/** Clients of the protocol expect a number as the code; ours is the stable word (reading B-90). */
const requirement = 'COMPB-011';

/** Core fields that this protocol names differently or does not have. */
const coreWords = [
  'messages',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'top_p',
  'tool_choice',
  'stream',
];

/** Judges a refusal of compat path B: a top-level error object with our code and its status, then the general rules. */
export function refusedB(judge: Judge, exchange: Exchange, expected: ExpectedRefusal): ErrorBody {
  if ((exchange.response?.status ?? 0) >= 400) judgeMembers(exchange);
  const error = judge.refused(exchange, expected);
  judgeWords(error, exchange);
  return error;
}

/** `param` must use the field name of the caller's protocol. */
function judgeWords({ param }: ErrorBody, exchange: Exchange): void {
  const [head = ''] = (param ?? '').split(/[.[/]/);
  must(!coreWords.includes(head) || exchange.request.body.includes(`"${head}"`), {
    requirement,
    aspect: 'param-in-callers-words',
    expected: 'param null, or a field as the request names it',
    actual: `param ${param}`,
    exchange,
  });
}

function judgeMembers(exchange: Exchange): void {
  const error = (jsonOf(exchange) as { error?: unknown } | null | undefined)?.error;
  const members = (error !== null && typeof error === 'object' ? error : {}) as Record<string, unknown>;
  const actual = `${outcomeOf(exchange)}: ${excerpt(exchange, 200)}`;
  const { type, code, message } = members;
  must(typeof type === 'string' && typeof message === 'string' && code !== undefined, {
    requirement,
    aspect: 'normalised-members',
    expected: 'a top-level error object with type, code and message',
    actual,
    exchange,
  });
  const expected = 'a string as code';
  must(typeof code === 'string', { requirement, aspect: 'string-code', expected, actual, exchange });
  const row = isErrorCode(code) ? errorTable[code] : null;
  must(row === null || (row.status === exchange.response?.status && row.type === type), {
    requirement,
    aspect: 'status-of-code',
    expected: `${code} with ${row?.status} ${row?.type}`,
    actual,
    exchange,
  });
}
