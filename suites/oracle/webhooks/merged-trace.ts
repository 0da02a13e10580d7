import { flag, must } from '../../rules/violation.ts';
import type { ReceivedEvent } from '../../wire/received-event.ts';
import { isTerminal } from '../media/task-answer.ts';
import type { TaskRead } from '../media/trace.ts';
import { readPayload } from './payload.ts';

/** Reads and events of a task in one order of time. Both use our clock, because the receiver is ours. */
export interface MergedTrace {
  readonly reads: readonly Pick<TaskRead, 'record'>[];
  readonly events: readonly ReceivedEvent[];
}

/**
 * After the event of an end, that end can be read ("States and transitions"). No read that began after
 * the event arrived may show an earlier state, or an end other than the reported one.
 */
export function judgeMerged({ reads, events }: MergedTrace): void {
  const [first] = events.toSorted((a, b) => a.exchange.sentAt - b.exchange.sentAt);
  if (first === undefined) return;
  const { status: said, statusOfType } = readPayload(first);
  const reported = said ?? statusOfType;
  for (const { record } of reads) {
    const { exchange, status } = record;
    if (exchange.sentAt <= first.exchange.sentAt) continue;
    must(isTerminal(status), {
      requirement: 'HOOK-012',
      aspect: 'readable-at-event',
      expected: `${reported ?? 'a terminal status'}, which the event has already reported`,
      actual: `${status}, read ${exchange.sentAt - first.exchange.sentAt} ms after the event arrived`,
      exchange,
      twin: first.exchange,
    });
    flag(reported === null || status === reported, {
      requirement: 'HOOK-013',
      aspect: 'status',
      expected: `status ${status}, as in the task’s record`,
      actual: `${reported}, in the event`,
      exchange: first.exchange,
      twin: exchange,
    });
  }
}
