import { expect, it } from 'vitest';
import { failedEnding, queuedTask, success } from '../../testing/tasks/sample-tasks.ts';
import type { EventGoal, NewEvent } from '../../webhooks/webhooks.ts';
import type { Task } from './task.ts';
import { createTaskEvents } from './task-events.ts';
import { taskView } from './task-view.ts';

const at = Date.parse('2027-01-01T00:00:00.5Z');
const receiverUrl = 'https://hooks.example.com/a?b=c';
const linkTo = (file: string): string => `https://gateway.example.com/media/${file}`;
const ended = (changes: Partial<Task>): Task =>
  queuedTask('task_1', at - 9_000, { webhookUrl: receiverUrl, endedAtMs: at, ...changes });

function eventsOf(tasks: readonly Task[]): { events: NewEvent[]; goals: EventGoal[] } {
  const [events, goals]: [NewEvent[], EventGoal[]] = [[], []];
  const taskEvents = createTaskEvents(
    {
      insert: async (_trx, some) => {
        events.push(...some);
      },
      wake: (some) => {
        goals.push(...some);
      },
    },
    linkTo,
  );
  void taskEvents.insert(null as never, tasks);
  taskEvents.wake(tasks);
  return { events, goals };
}

it.each([
  ['task.success', { status: 'SUCCESS', ending: success }],
  ['task.failed', { status: 'FAILED', ending: failedEnding }],
  ['task.expired', { status: 'EXPIRED', ending: { status: 'EXPIRED' } }],
] as const)('makes an event %s with the task as callers read it', (type, changes) => {
  const task = ended(changes);
  const { events, goals } = eventsOf([task]);
  expect(events).toEqual([
    { taskId: 'task_1', accountId: 'acc', type, url: receiverUrl, atMs: at, body: expect.any(String) },
  ]);
  expect(JSON.parse(events[0]?.body ?? '')).toEqual({
    type,
    timestamp: '2027-01-01T00:00:00.500Z',
    data: JSON.parse(JSON.stringify(taskView(task, linkTo))),
  });
  expect(goals).toEqual([{ accountId: 'acc', url: receiverUrl, atMs: at }]);
});

it('makes no event without a webhook URL, and none for a task that has not ended', () => {
  const over = { status: 'SUCCESS', ending: success } as const;
  const tasks = [ended({ ...over, webhookUrl: null }), ended({ status: 'RUNNING', endedAtMs: null })];
  expect(eventsOf(tasks)).toEqual({ events: [], goals: [] });
});
