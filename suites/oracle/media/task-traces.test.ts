import { expect, it } from 'vitest';
import { answeredWith } from '../../testing/sample-exchange.ts';
import type { TaskRecord } from './task-answer.ts';
import { TaskTraces } from './task-traces.ts';

const record = (status: TaskRecord['status']): TaskRecord => ({
  ...{ taskId: 't', status, resultUrls: [], namesResults: true, durationSec: null, submitTime: null },
  ...{ error: null, exchange: answeredWith() },
});

it('compares a read of a task with all earlier reads, on any connection', () => {
  const traces = new TaskTraces(10);
  traces.add('t', { record: record('RUNNING'), began: 1, ended: 2 });
  expect(() => traces.add('t', { record: record('QUEUED'), began: 3, ended: 4 })).toThrow('STATE-008');
  traces.add('other', { record: record('QUEUED'), began: 5, ended: 6 });
});

it('forgets the least recently read task', () => {
  const traces = new TaskTraces(2);
  for (const [at, id] of ['a', 'b', 'a', 'c'].entries())
    traces.add(id, { record: record('RUNNING'), began: 2 * at, ended: 2 * at + 1 });
  expect(['a', 'b', 'c'].map((id) => traces.isAgain(id))).toEqual([true, false, true]);
});
