import type { Task, TaskEnding } from '../services/tasks/task.ts';
import type { NewTask, Tasks } from '../services/tasks/tasks.ts';

/** Tasks in memory without a worker; the test decides their progress. */
export interface MemoryTasks extends Tasks {
  /** In the order of submission. */
  readonly all: () => readonly Task[];
  /** Replaced by tests in which storing fails or waits. */
  onSubmit: (task: NewTask) => Promise<void>;
  /** The accepted notifications, each as channel and job id. */
  readonly notified: string[];
  /** Replaced by tests in which a notification fails or waits. */
  onNotify: () => Promise<void>;
  /** Changes a submitted task. */
  change(taskId: string, changes: Partial<Task>): void;
  /** Ends a task. */
  end(taskId: string, ending: TaskEnding): void;
  forget(taskId: string): void;
}

export function memoryTasks(): MemoryTasks {
  const tasks = new Map<string, Task>();
  const change = (taskId: string, changes: Partial<Task>): void => {
    const task = tasks.get(taskId);
    if (task === undefined) throw new Error(`no task ${taskId}`);
    tasks.set(taskId, { ...task, ...changes });
  };
  const memory: MemoryTasks = {
    all: () => [...tasks.values()],
    onSubmit: async () => {},
    submit: async (task) => {
      await memory.onSubmit(task);
      tasks.set(task.id, {
        ...task,
        status: 'QUEUED',
        nativeId: null,
        startTries: 0,
        pollTries: 0,
        ending: null,
        endedAtMs: null,
      });
    },
    find: async (accountId, taskId) => {
      const task = tasks.get(taskId);
      return task?.accountId === accountId ? task : null;
    },
    findAny: async (taskId) => tasks.get(taskId) ?? null,
    search: async ({ accountId, status }, limit, after) =>
      [...tasks.values()]
        .filter((task) => accountId === undefined || task.accountId === accountId)
        .filter((task) => status === undefined || task.status === status)
        .toSorted((one, other) => compare(other, one))
        .filter((task) => after === undefined || compare(task, after) < 0)
        .slice(0, limit),
    notify: async (channelId, nativeId) => {
      memory.notified.push(`${channelId} ${nativeId}`);
      await memory.onNotify();
    },
    notified: [],
    onNotify: async () => {},
    idle: async () => {},
    change,
    end: (taskId, ending) =>
      change(taskId, { status: ending.status, ending, endedAtMs: tasks.get(taskId)?.submittedAtMs ?? 0 }),
    forget: (taskId) => {
      tasks.delete(taskId);
    },
  };
  return memory;
}

function compare(one: Pick<Task, 'submittedAtMs' | 'id'>, other: Pick<Task, 'submittedAtMs' | 'id'>): number {
  return one.submittedAtMs - other.submittedAtMs || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}
