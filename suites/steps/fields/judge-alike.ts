import type { Rule } from '../../oracle/media/rules.ts';
import { must } from '../../rules/violation.ts';
import { type Exchange, excerpt, jsonOf, outcomeOf } from '../../wire/exchange.ts';

/**
 * Judges that two refusals are the same except for the id that each one asked about. It compares status and body,
 * with all ids of the request removed.
 */
export function judgeAlike(one: Exchange, other: Exchange, rule: Rule): void {
  must(one.response?.status === other.response?.status && reportedBy(one) === reportedBy(other), {
    ...rule,
    expected: `the answer to an unknown id: ${outcomeOf(other)} ${excerpt(other, 200)}`,
    actual: `${outcomeOf(one)} ${excerpt(one, 200)}`,
    exchange: one,
    twin: other,
  });
}

/** The error as a caller reads it, without the ids that were sent and without request ids. */
function reportedBy(exchange: Exchange): string {
  const { error = null } = (jsonOf(exchange) ?? {}) as { error?: unknown };
  const sent = idsIn(JSON.parse(exchange.request.body.toString('utf8')));
  return sent.reduce((text, id) => text.replaceAll(id, '$ID'), JSON.stringify(error));
}

/** Every string of a request that may be an id: the members that name tasks. */
function idsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return /task_ids?$/.test(name) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => idsIn(item, name));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => idsIn(inner, key));
}
