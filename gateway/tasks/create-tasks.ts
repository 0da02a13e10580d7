import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { TaskLimits } from '../config.ts';
import type { Database } from '../store/database.ts';
import { type Care, type CareParts, createCare } from './care.ts';
import { jobOf } from './job-key.ts';
import { createNews } from './news.ts';
import { createNewsStore } from './news-store.ts';
import { createPuller, type Puller } from './puller.ts';
import { createRunner, type Runner } from './runner.ts';
import { createStepQueue } from './step-queue.ts';
import type { Task, TaskEnding } from './task.ts';
import type { TaskEnds } from './task-ends.ts';
import { createTaskStore } from './task-store.ts';
import type { TaskWork } from './task-work.ts';
import type { Tasks } from './tasks.ts';
import { Turns } from './turns.ts';
import { UnderWay } from './under-way.ts';

export interface TasksParts {
  readonly db: Kysely<Database>;
  /** The id of this process; no other one ever had it. */
  readonly own: string;
  readonly work: TaskWork;
  readonly ends: TaskEnds;
  readonly limits: TaskLimits;
  /** What deadlines, waits and retention go by. */
  readonly clock: Clock;
  /** Real time: for what must go on however the clock is moved. */
  readonly timer: Clock;
  /** Does `work` for each of the processes that is gone; null where this one is alone on its database. */
  readonly forEachGone: CareParts['forEachGone'];
  readonly removeOldFiles: () => Promise<void>;
  readonly log: Logger;
}

/** Tasks with the steps that they take. */
export interface RunningTasks extends Tasks {
  /** Goes on with what was left by processes that are gone, and takes steps from now on. */
  open(): Promise<void>;
  /** Takes no further step, and waits a while for those under way; what is cut goes on at the next start, or elsewhere. */
  close(): Promise<void>;
}

/** Tasks that a process holds at most: beyond that others take them, or they wait in the queue. */
const MOST_HELD = 5_000;
const CLOSE_WITHIN_MS = 5_000;
/** Submissions whose fate nobody knows: more than can come about while a database is out of reach. */
const MOST_DOUBTFUL = 10_000;

const NOT_HANDED_IN: TaskEnding = {
  status: 'FAILED',
  error: {
    code: 'internal_error',
    message: 'The task could not be taken on.',
    param: null,
    channel: null,
  },
};

/** The tasks over the given database; one a process, because it holds those whose steps it takes. */
export function createTasks(parts: TasksParts): RunningTasks {
  const { db, own, work, limits, clock, timer, log, forEachGone } = parts;
  const isShared = forEachGone !== null;
  const queue = createStepQueue(db, log);
  const store = createTaskStore(db, queue, own, parts.ends);
  const underWay = new UnderWay();
  const turns = new Turns(limits.at_once);
  /** Tasks that may be in the database although whoever handed them in was told otherwise. */
  const doubtful = new Set<string>();
  let isOpen = false;

  const news = createNews({
    ask: (job) => runner.news(job),
    store: isShared ? createNewsStore(db, own) : null,
    clock,
  });
  const runner: Runner = createRunner({
    work,
    limits,
    clock,
    timer,
    underWay,
    log,
    save: (task) => store.save(task),
    whole: (task) => store.whole(task),
    inTurn: (act) => turns.run(act),
    hadNews: (task) => news.wasEarly(jobOf(task)),
    doomed: (task) => (doubtful.delete(task.id) ? NOT_HANDED_IN : null),
    onGone: () => puller.goOn(),
  });
  const puller: Puller = createPuller({
    take: (most) => store.take(most),
    room: () => MOST_HELD - runner.held,
    run: (task) => runner.run(task),
    timer,
    underWay,
    log,
  });
  const care: Care = createCare({
    store,
    clock,
    timer,
    forEachGone,
    retentionMs: limits.retention_ms,
    forget: (task) => work.forget(task),
    removeOldFiles: parts.removeOldFiles,
    isOpen: () => isOpen,
    passNewsOn: news.passOn,
    wake: () => puller.wake(),
    log,
  });
  /** Forgotten is what its time says, not only what has been removed already. */
  const unlessForgotten = (task: Task | null): Task | null => {
    if (task?.endedAtMs == null || clock.now() < task.endedAtMs + limits.retention_ms) return task;
    care.forgetOld().catch((error: unknown) => log.warn({ err: error }, 'tasks are forgotten later'));
    return null;
  };

  return {
    submit: async (task) => {
      try {
        await store.add(task);
      } catch (error) {
        if (doubtful.size < MOST_DOUBTFUL) doubtful.add(task.id);
        throw error;
      }
      isOpen = true;
      puller.wake();
    },
    find: async (accountId, taskId) => {
      const task = unlessForgotten(await store.find(taskId));
      return task?.accountId === accountId ? task : null;
    },
    findAny: async (taskId) => unlessForgotten(await store.find(taskId)),
    search: (filter, limit, after) => store.search(filter, limit, after),
    news: news.tell,
    idle: (withinMs) => underWay.settled(timer, withinMs),
    open: async () => {
      // Alone on the database, everything is left over; and as long as nobody handed anything in, there need be no queue.
      if (isShared || (await store.hasUnended())) {
        await queue.open();
        isOpen = true;
        if (!isShared) {
          await queue.clear();
          const tasks = await store.release(null);
          log.info({ tasks }, 'tasks of the process before go on');
        }
      }
      care.begin();
    },
    close: async () => {
      puller.stop();
      runner.stop();
      await care.stop();
      await underWay.settled(timer, CLOSE_WITHIN_MS);
      await store.close();
      await queue.close();
    },
  };
}
