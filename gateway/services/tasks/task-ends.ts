import type { EventGoal, EventKeeper, EventType, NewEvent } from '../../webhooks/webhooks.ts';
import type { TaskEnds } from './ended-tasks.ts';
import type { Task } from './task.ts';
import { taskView } from './task-view.ts';

const eventTypes: Readonly<Partial<Record<Task['status'], EventType>>> = {
  SUCCESS: 'task.success',
  FAILED: 'task.failed',
  EXPIRED: 'task.expired',
};

/** Turns ended tasks into events: the final record of the task, with a type and a time (B-113). */
export function createTaskEnds(webhooks: EventKeeper, linkTo: (file: string) => string): TaskEnds {
  return {
    keep: (trx, ended) =>
      webhooks.keep(
        trx,
        ended.flatMap((task) => eventOf(task, linkTo) ?? []),
      ),
    kept: (ended) => webhooks.kept(ended.flatMap((task) => placeOf(task) ?? [])),
  };
}

function placeOf({ accountId, webhookUrl: url, endedAtMs: atMs }: Task): EventGoal | null {
  return url === null || atMs === null ? null : { accountId, url, atMs };
}

function eventOf(task: Task, linkTo: (file: string) => string): NewEvent | null {
  const place = placeOf(task);
  const type = eventTypes[task.status];
  if (place === null || type === undefined) return null;
  const timestamp = new Date(place.atMs).toISOString();
  const body = JSON.stringify({ type, timestamp, data: taskView(task, linkTo) });
  return { ...place, taskId: task.id, type, body };
}
