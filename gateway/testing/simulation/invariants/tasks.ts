import { tasksHolder } from '../../../store/ledger-tables.ts';
import type { TaskRow } from '../store/tables.ts';
import { type Invariant, must, type View } from '../world/view.ts';

const ranks: Readonly<Record<TaskRow['status'], number>> = {
  QUEUED: 0,
  RUNNING: 1,
  SUCCESS: 2,
  FAILED: 2,
  EXPIRED: 2,
};

/** Tasks only go forward, end once, are paid when they end, and have one job. */
export function tasks(): Invariant {
  const before = new Map<string, TaskRow>();
  /** The status that callers have read last. */
  const read = new Map<string, string>();
  return {
    name: 'tasks',
    reads: (tables) => [tables.tasks],
    committed: (view) => {
      for (const task of view.tables.tasks.all()) {
        const last = before.get(task.id);
        if (last === task) continue;
        if (last !== undefined) goesForward(last, task);
        if (task.ended_at === null) holds(task, view);
        else isPaid(task, view);
        before.set(task.id, task);
      }
    },
    answered: ({ kind }, { status, body }) => {
      if (kind !== 'read') return;
      must(status !== 404, () => 'a task that was acknowledged is not found');
      if (status !== 200) return;
      const { task_id: id, status: now }: { task_id: string; status: TaskRow['status'] } = JSON.parse(body);
      const last = (read.get(id) ?? 'QUEUED') as TaskRow['status'];
      const isForward = ranks[now] > ranks[last] || now === last;
      must(isForward, () => `${id} was read as ${last}, and then as ${now}`);
      read.set(id, now);
    },
    atRest: (view) => {
      for (const { id, ended_at: endedAt } of view.tables.tasks.all())
        must(endedAt !== null, () => `${id} has not ended`);
    },
    ended: (_call, view) => {
      // A process that only seemed to die may start a job beside the one that took its task over.
      if (view.hasSevered) return;
      const names = [...view.jobs.values()].map(({ name }) => name);
      const twice = names.find((name, at) => names.indexOf(name) !== at);
      must(twice === undefined, () => `${twice} has more than one job`);
    },
  };
}

function goesForward(last: TaskRow, task: TaskRow): void {
  const { id } = task;
  const isForward = ranks[task.status] > ranks[last.status] || task.status === last.status;
  must(isForward, () => `${id} goes from ${last.status} to ${task.status}`);
  must(last.ending === null || last.ending === task.ending, () => `the ending of ${id} changes`);
  const endsOnce = last.ended_at === null || last.ended_at.getTime() === task.ended_at?.getTime();
  must(endsOnce, () => `${id} ends twice`);
  must(last.native_id === null || last.native_id === task.native_id, () => `${id} changes its job`);
}

function holds({ id, request_id: requestId, ending }: TaskRow, { tables, requests, hasSevered }: View): void {
  // The holds of a process that seems gone are released, though it may submit yet.
  if (hasSevered) return;
  // Its hold ends when it is settled, just before its end. One whose caller got an error has none.
  if (ending !== null || requests.get(requestId)?.status !== 200) return;
  must(tables.holds.get(requestId)?.holder === tasksHolder, () => `${id} runs without a hold of its own`);
}

function isPaid({ id, request_id: requestId, status }: TaskRow, { tables }: View): void {
  const record = tables.records.get(requestId);
  must(record !== undefined, () => `${id} has ended and is not settled`);
  must(
    (record?.outcome === 'success') === (status === 'SUCCESS'),
    () => `${id} is ${status} and settled as ${record?.outcome}`,
  );
  must(!tables.holds.has(requestId), () => `${id} has ended and still holds`);
}
