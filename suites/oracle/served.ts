import { type Finding, flag, must } from '../rules/violation.ts';
import { isJsonObject } from '../values/json.ts';
import {
  type Exchange,
  excerpt,
  isSuccess,
  jsonOf,
  outcomeOf,
  type ReceivedResponse,
} from '../wire/exchange.ts';
import { shapeFault } from '../wire/shapes.ts';

/** How to report failures of a served call. */
export interface Served {
  /** The rule that acceptance itself proves. */
  readonly own: Pick<Finding, 'requirement' | 'aspect' | 'twin'>;
  /** A noun for its answer in messages: `a completion`. */
  readonly what: string;
  /** Its success statuses; only 200 by default. */
  readonly statuses?: readonly number[];
  /** The rule about the success status. */
  readonly status: Pick<Finding, 'requirement' | 'aspect'>;
}

/** No error object is longer, bytes. */
const maxErrorBytes = 65_536;

/**
 * Judges that a call was served. An error object with a success status violates a separate rule. So does an unexpected
 * success status; then the answer is judged further.
 */
export function judgeIsServed(
  exchange: Exchange,
  { own: { requirement, aspect, twin }, what, statuses = [200], status }: Served,
): asserts exchange is Exchange & { readonly response: ReceivedResponse } {
  const expected = `HTTP ${statuses.join(' or ')} with ${what}`;
  const actual = `${outcomeOf(exchange)}: ${excerpt(exchange, 200)}`;
  must(isSuccess(exchange), { requirement, aspect, twin, expected, actual, exchange });
  must(!isRefusal(exchange), { requirement: 'ERR-001', aspect: 'error-status', expected, actual, exchange });
  flag(statuses.includes(exchange.response.status), { ...status, expected, actual, exchange });
}

/** Whether an answer is an error object; the record of a failed task may hold one. */
function isRefusal(exchange: Exchange): boolean {
  if ((exchange.response?.body.length ?? 0) > maxErrorBytes) return false;
  const body = jsonOf(exchange);
  return shapeFault('error', body) === null && isJsonObject(body) && !Object.hasOwn(body, 'task_id');
}

/** Every model that an answer names, in any dialect and in each of its events, in order. */
export function modelsNamed({ response }: Pick<Exchange, 'response'>): string[] {
  const body = response?.body.toString('utf8') ?? '';
  return [...body.matchAll(/"model(?:Version)?"\s*:\s*"([^"]+)"/g)].flatMap(([, name]) => name ?? []);
}
