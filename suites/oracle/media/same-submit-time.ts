import { flag } from '../../rules/violation.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';
import type { TaskRecord } from './task-answer.ts';

/** One answer may show fractions of a second and another one none, ms. */
const roundedMs = 1_000;

/**
 * Judges that every read of a task shows the time of its submission, if any, as the answer to the submission did ("Task
 * submit": submit_time is the timestamp of submission). Times without a zone are not compared.
 */
export function judgeSameSubmitTime(submitted: Exchange, reads: readonly TaskRecord[]): void {
  const { submit_time: told } = (jsonOf(submitted) ?? {}) as { submit_time?: unknown };
  const toldMs = timeOf(told);
  const other = reads.find(({ submitTime }) => {
    const shownMs = timeOf(submitTime);
    return toldMs !== null && shownMs !== null && Math.abs(shownMs - toldMs) >= roundedMs;
  });
  flag(other === undefined, {
    requirement: 'TASK-012',
    aspect: 'same-submit-time',
    expected: `submit_time ${String(told)}, as the submission was answered`,
    actual: String(other?.submitTime),
    exchange: other?.exchange ?? submitted,
    twin: submitted,
  });
}

/** Unix ms; null for anything but a time with a zone. */
function timeOf(value: unknown): number | null {
  if (typeof value !== 'string' || !/T.*(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(value)) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}
