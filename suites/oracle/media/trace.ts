import { flag } from '../../rules/violation.ts';
import { withoutQuery } from '../core-routes.ts';
import { isTerminal, type TaskRecord, type TaskStatus } from './task-answer.ts';

/**
 * Reads of one task, as they happened. `began` and `ended` count over all reads of a tenant. They show with
 * certainty whether one read ended before another one was sent.
 */
export interface TaskRead {
  readonly began: number;
  readonly ended: number;
  /** Who read: a key or a connection. */
  readonly reader: string;
  readonly record: TaskRecord;
}

const ranks: Readonly<Record<TaskStatus, number>> = {
  QUEUED: 0,
  RUNNING: 1,
  SUCCESS: 2,
  FAILED: 2,
  EXPIRED: 2,
};

/**
 * Judges the trace of a task ("States and transitions", reading B-67). The states move forwards through QUEUED and RUNNING to
 * one terminal state. That state and its record never change again, for any reader and connection. A reader may miss states,
 * and overlapping reads prove no order.
 */
export class TaskTrace {
  #reads: TaskRead[] = [];

  get reads(): readonly TaskRead[] {
    return this.#reads;
  }

  /** Judges a read against all reads that ended before it began. Throws a Violation when both cannot be right. */
  add(read: TaskRead): void {
    for (const earlier of this.#reads)
      if (earlier.ended < read.began) judgeOrder(earlier, read);
      else if (read.ended < earlier.began) judgeOrder(read, earlier);
    this.#reads.push(read);
  }

  /**
   * Keeps, of reads with equal answers, only the first that ended and the last that began. A further read that contradicts
   * any of them contradicts one of these two.
   */
  thin(): void {
    const alike = Map.groupBy(this.#reads, ({ record }) => keyOf(record));
    const kept = new Set(
      [...alike.values()].flatMap((reads) => [
        reads.reduce((first, one) => (one.ended < first.ended ? one : first)),
        reads.reduce((last, one) => (one.began > last.began ? one : last)),
      ]),
    );
    this.#reads = this.#reads.filter((one) => kept.has(one));
  }

  /** The statuses seen, in order, each once. */
  get statuses(): readonly TaskStatus[] {
    const inOrder = this.#reads.toSorted((a, b) => a.began - b.began).map(({ record }) => record.status);
    return inOrder.filter((status, index) => status !== inOrder[index - 1]);
  }
}

function keyOf({ status, durationSec, resultUrls, submitTime, error }: TaskRecord): string {
  return JSON.stringify([status, durationSec, resultUrls.map(withoutQuery), submitTime, error?.code]);
}

function judgeOrder(earlier: TaskRead, later: TaskRead): void {
  const [before, after] = [earlier.record, later.record];
  const isSameReader = earlier.reader === later.reader;
  const goesBack = ranks[after.status] < ranks[before.status];
  if (isTerminal(before.status) && (isSameReader || !goesBack)) {
    judgeFinal(before, after);
    return;
  }
  flag(!goesBack, {
    requirement: isSameReader ? 'STATE-008' : 'STATE-009',
    aspect: isSameReader ? 'forwards' : 'no-earlier-state',
    expected: `${before.status} or a later state${isSameReader ? '' : `, which ${earlier.reader} has seen`}`,
    actual: `${after.status}${isSameReader ? '' : `, to ${later.reader}`}`,
    exchange: after.exchange,
    twin: before.exchange,
  });
}

function judgeFinal(before: TaskRecord, after: TaskRecord): void {
  const own = { requirement: 'STATE-002', exchange: after.exchange, twin: before.exchange };
  flag(after.status === before.status, {
    ...own,
    aspect: 'terminal-final',
    expected: `${before.status}, which is terminal`,
    actual: after.status,
  });
  flag(after.durationSec === before.durationSec && sameUrls(before.resultUrls, after.resultUrls), {
    ...own,
    aspect: 'terminal-unchanged',
    expected: `the record as it was: ${summary(before)}`,
    actual: summary(after),
  });
  flag(after.error?.code === before.error?.code, {
    ...own,
    aspect: 'terminal-unchanged',
    expected: `the error as it was: ${before.error?.code ?? 'none'}`,
    actual: after.error?.code ?? 'none',
  });
}

/** A link may be signed again for each read, so its query is not compared. */
function sameUrls(before: readonly string[], after: readonly string[]): boolean {
  return (
    before.length === after.length &&
    before.every((url, index) => withoutQuery(url) === withoutQuery(after[index] ?? ''))
  );
}

function summary({ status, durationSec, resultUrls }: TaskRecord): string {
  return `${status}, duration_sec ${durationSec}, ${JSON.stringify(resultUrls)}`.slice(0, 300);
}
