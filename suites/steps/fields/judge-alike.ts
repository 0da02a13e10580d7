import type { Rule } from '../../oracle/media/rules.ts';
import { advise, must } from '../../rules/violation.ts';
import { type Exchange, excerpt, jsonOf, outcomeOf } from '../../wire/exchange.ts';

/**
 * Judges that two refusals are equal except for the id in each request. Status, code, type, channel and param must be equal,
 * because secrecy requires it. Differences in the rest of the body are advice (reading B-62).
 */
export function judgeAlike(one: Exchange, other: Exchange, rule: Rule): void {
  const finding = {
    ...rule,
    expected: `the answer to an unknown id: ${outcomeOf(other)} ${excerpt(other, 200)}`,
    actual: `${outcomeOf(one)} ${excerpt(one, 200)}`,
    exchange: one,
    twin: other,
  };
  const isSameKind = reportedBy(one, members) === reportedBy(other, members);
  must(one.response?.status === other.response?.status && isSameKind, finding);
  advise(withoutOwnIds(reportedBy(one)) === withoutOwnIds(reportedBy(other)), finding);
}

/** A long word with a digit: the id or the time of an answer, which no two answers share. */
const ownId = /(?=[\w:.-]*\d)[\w:.-]{8,}/g;

function withoutOwnIds(text: string): string {
  return text.replaceAll(ownId, '#');
}

const members = ['code', 'type', 'channel', 'param'];

/** The error as a caller reads it, or some of its members, without the ids that were sent. */
function reportedBy(exchange: Exchange, among?: readonly string[]): string {
  const { error: whole = null } = (jsonOf(exchange) ?? {}) as { error?: unknown };
  const error =
    among === undefined
      ? whole
      : among.map((name) => (whole as Record<string, unknown> | null)?.[name] ?? null);
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
