import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { TaskLimits } from '../config.ts';
import type { TaskEnds } from '../services/tasks/ended-tasks.ts';
import type { Task, TaskEnding } from '../services/tasks/task.ts';
import type { TaskWork } from '../services/tasks/task-work.ts';
import type { Tasks } from '../services/tasks/tasks.ts';
import type { Database } from '../store/database.ts';
import { createDueRows } from '../work/due-rows.ts';
import type { ForEachGone } from '../work/reaper.ts';
import { fixedShares } from '../work/shares.ts';
import { createWorkLoop } from '../work/work-loop.ts';
import { type ClaimedTask, calls, ends, taskSteps } from './claimed-task.ts';
import { createJobNotifications } from './job-notifications.ts';
import { notifyJobs } from './notify-jobs.ts';
import { createRetention } from './retention.ts';
import { runStep } from './run-step.ts';
import type { NextStep } from './save-tasks.ts';
import { createTaskStore } from './task-store.ts';

export interface TasksParts {
  readonly db: Kysely<Database>;
  /** The unique id of this process; no other process ever had it. */
  readonly own: string;
  readonly work: TaskWork;
  readonly ends: TaskEnds;
  readonly limits: TaskLimits;
  /** The clock of deadlines, waits and retention. */
  readonly clock: Clock;
  /** Real time, for work that must go on however the clock is moved. */
  readonly timer: Clock;
  /** Does `work` for each process that is gone; null where this process is alone on its database. */
  readonly forEachGone: ForEachGone | null;
  readonly removeOldFiles: () => Promise<void>;
  readonly log: Logger;
}

/** Tasks with the loop that runs their steps. */
export interface RunningTasks extends Tasks {
  /** Takes over the work of processes that are gone, and runs steps from now on. */
  open(): Promise<void>;
  /**
   * Starts no further step, and waits a while for steps in flight. A step that is cut goes on at the next start,
   * or in another process.
   */
  close(): Promise<void>;
}

/** How many tasks are ended at once. Ending a task needs no call. */
const maxEnds = 100;
const closeWithinMs = 5_000;
/** Submissions whose outcome is unknown: more than can arrive while a database is out of reach. */
const maxDoubtful = 10_000;

const notHandedIn: TaskEnding = {
  status: 'FAILED',
  error: {
    code: 'internal_error',
    message: 'The task could not be taken on.',
    param: null,
    channel: null,
  },
};

/** Creates the tasks over the given database. */
export function createTasks(parts: TasksParts): RunningTasks {
  const { db, own, work, limits, clock, timer, log } = parts;
  const store = createTaskStore(db, own, parts.ends);
  /** Tasks that may be in the database although their callers got an error. */
  const doubtful = new Set<string>();
  let notices = 0;

  const notifications = createJobNotifications({
    notify: async (jobs) => {
      notices += 1;
      const { known, due } = await notifyJobs(db, jobs, clock.now());
      for (const { id, atMs } of due) loop.dueAt(atMs, id);
      return known;
    },
    clock,
    timer,
    log,
  });
  const stepParts = {
    ...parts,
    save: async (task: Task, next: NextStep | null) => {
      const saved = await store.save({ task, next });
      if (task.endedAtMs !== null) doubtful.delete(task.id);
      return saved;
    },
    doomed: (taskId: string) => (doubtful.has(taskId) ? notHandedIn : null),
    onStarted: notifications.started,
    onEndedEarly: () => loop.poll(),
    notices: () => notices,
  };
  const loop = createWorkLoop<ClaimedTask>({
    ...parts,
    name: 'tasks',
    rows: createDueRows(db, own, taskSteps),
    shares: fixedShares({ [calls]: limits.at_once, [ends]: maxEnds }),
    run: (claimed) => runStep(claimed, stepParts),
    resume: () => store.resume(clock.now()),
    closeWithinMs: closeWithinMs,
  });
  const retention = createRetention({
    store,
    clock,
    timer,
    retentionMs: limits.retention_ms,
    forget: (task) => work.forget(task),
    removeOldFiles: parts.removeOldFiles,
    log,
  });
  /** Hides a task whose retention is over, even if it has not been removed yet. */
  const unlessForgotten = (task: Task | null): Task | null => {
    if (task?.endedAtMs == null || clock.now() < task.endedAtMs + limits.retention_ms) return task;
    retention.forgetOld().catch((error: unknown) => log.warn({ err: error }, 'tasks are forgotten later'));
    return null;
  };

  return {
    submit: async (task) => {
      try {
        await store.add(task);
      } catch (error) {
        if (doubtful.size < maxDoubtful) doubtful.add(task.id);
        // It may be there after all, and nothing else would look for it where this process is alone.
        loop.poll();
        throw error;
      }
      loop.wake([calls], task.deadlineAtMs);
    },
    find: async (accountId, taskId) => {
      const task = unlessForgotten(await store.find(taskId));
      return task?.accountId === accountId ? task : null;
    },
    findAny: async (taskId) => unlessForgotten(await store.find(taskId)),
    search: (filter, limit, after) => store.search(filter, limit, after),
    notify: notifications.take,
    idle: loop.idle,
    open: async () => {
      await loop.open();
      notifications.begin();
      retention.begin();
    },
    close: async () => {
      await notifications.stop();
      await retention.stop();
      await loop.close(() => store.close());
    },
  };
}
