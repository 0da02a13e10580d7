import type { Kysely } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { EventGoal, EventSink, EventType, NewEvent } from '../../webhooks/webhooks.ts';
import type { Task } from './task.ts';
import { taskView } from './task-view.ts';

/** The events of ended tasks, for callers who asked for them. */
export interface TaskEvents {
  /** Stores the events in the transaction that ends the tasks, so that neither exists without the other. */
  insert(trx: Kysely<Database>, ended: readonly Task[]): Promise<void>;
  /** Starts the delivery after that transaction, even if it is unknown whether it was committed. */
  wake(ended: readonly Task[]): void;
}

const eventTypes: Readonly<Partial<Record<Task['status'], EventType>>> = {
  SUCCESS: 'task.success',
  FAILED: 'task.failed',
  EXPIRED: 'task.expired',
};

/** Turns ended tasks into events: the final record of the task, with a type and a time (B-113). */
export function createTaskEvents(webhooks: EventSink, linkTo: (file: string) => string): TaskEvents {
  return {
    insert: (trx, ended) =>
      webhooks.insert(
        trx,
        ended.flatMap((task) => eventOf(task, linkTo) ?? []),
      ),
    wake: (ended) => webhooks.wake(ended.flatMap((task) => goalOf(task) ?? [])),
  };
}

function goalOf({ accountId, webhookUrl: url, endedAtMs: atMs }: Task): EventGoal | null {
  return url === null || atMs === null ? null : { accountId, url, atMs };
}

function eventOf(task: Task, linkTo: (file: string) => string): NewEvent | null {
  const goal = goalOf(task);
  const type = eventTypes[task.status];
  if (goal === null || type === undefined) return null;
  const timestamp = new Date(goal.atMs).toISOString();
  const body = JSON.stringify({ type, timestamp, data: taskView(task, linkTo) });
  return { ...goal, taskId: task.id, type, body };
}
