import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { TaskLimits } from '../config.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { maxPollMs, maxStartMs } from '../services/tasks/ask-again.ts';
import type { Task } from '../services/tasks/task.ts';
import type { TaskEvents } from '../services/tasks/task-events.ts';
import type { TaskWork } from '../services/tasks/task-work.ts';
import type { Tasks } from '../services/tasks/tasks.ts';
import type { Database } from '../store/database.ts';
import { createDueRows } from '../work/due-rows.ts';
import type { Instances } from '../work/instances.ts';
import { dividedShares } from '../work/shares.ts';
import { createWorkLoop } from '../work/work-loop.ts';
import { TasksTakeTooMuch } from './add-tasks.ts';
import { type ClaimedTask, callsOf, ends, taskSteps } from './claimed-task.ts';
import { createJobNotifications } from './job-notifications.ts';
import { notifyJobs } from './notify-jobs.ts';
import { createRetention } from './retention.ts';
import { runStep } from './run-step.ts';
import { createTaskStore } from './task-store.ts';

export interface TasksParts {
  readonly db: Kysely<Database>;
  readonly instances: Instances;
  readonly work: TaskWork;
  readonly events: TaskEvents;
  readonly limits: TaskLimits;
  /** The clock of deadlines, waits and retention. */
  readonly clock: Clock;
  /** Real time, for work that must go on however the clock is moved. */
  readonly timer: Clock;
  readonly removeOldFiles: () => Promise<void>;
  readonly log: Logger;
}

/** Tasks with the loop that runs their steps. */
export interface RunningTasks extends Tasks {
  /** Takes over the work of dead processes, and runs steps from now on. */
  open(): Promise<void>;
  /**
   * Starts no further step, and waits a while for steps in flight. An interrupted step continues at the next start, or in
   * another process.
   */
  close(): Promise<void>;
}

const tooMuch =
  'The tasks of this account take as much storage as they may; the inputs of a task are dropped when it ends.';
/** Sent as Retry-After: within this time some tasks end. */
const retryAfterS = 10;
/** Maximum tasks that end at once. Ending a task needs no call. */
const maxEnds = 100;
const closeWithinMs = 5_000;
/** Maximum submissions with an unknown outcome: more than can arrive during a database outage. */
const maxDoubtful = 10_000;

/** Creates the tasks over the given database. */
export function createTasks(parts: TasksParts): RunningTasks {
  const { db, instances, work, limits, clock, timer, log } = parts;
  const store = createTaskStore(db, instances, parts.events, limits.account_bytes);
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
    save: store.save,
    doubtful,
    onStarted: notifications.started,
    onEndedEarly: () => loop.poll(),
    notices: () => notices,
  };
  const loop = createWorkLoop<ClaimedTask>({
    ...parts,
    name: 'tasks',
    rows: createDueRows(db, instances, taskSteps),
    shares: dividedShares(limits.at_once, { [ends]: maxEnds }),
    run: (claimed) => runStep(claimed, stepParts),
    resume: () => store.resume(clock.now()),
    longestMs: sql`(case when native_id is null then ${maxStartMs}::bigint else ${Math.max(maxPollMs, limits.poll_most_ms)}::bigint end)`,
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
        if (error instanceof TasksTakeTooMuch)
          throw new GatewayError('quota_exceeded', { message: tooMuch, retryAfterS });
        if (doubtful.size < maxDoubtful) doubtful.add(task.id);
        // The task may be stored after all. Without other processes, only this poll would find it.
        loop.poll();
        throw error;
      }
      loop.wake([callsOf(task.accountId)], task.deadlineAtMs);
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
