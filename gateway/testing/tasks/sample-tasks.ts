import type { TaskLimits } from '../../config.ts';
import type { Task, TaskEnding } from '../../services/tasks/task.ts';
import type { TaskEvents } from '../../services/tasks/task-events.ts';
import type { CheckStep, StartStep, TaskWork } from '../../services/tasks/task-work.ts';
import type { NewTask } from '../../services/tasks/tasks.ts';

// For tests only.

export const limits: TaskLimits = {
  poll_ms: 40,
  poll_most_ms: 400,
  deadline_ms: 60_000,
  retention_ms: 3_600_000,
  start_tries: 3,
  start_again_ms: 50,
  poll_tries: 3,
  at_once: 8,
  account_bytes: 1_000_000,
};

export const success: TaskEnding = { status: 'SUCCESS', results: [{ file: 'a.mp4' }], durationSec: 8 };
export const failedEnding: TaskEnding = {
  status: 'FAILED',
  error: { code: 'upstream_error', message: 'The upstream failed.', param: null, channel: 'ch' },
};
export const stillRunning: CheckStep = { kind: 'running', afterMs: null };
export const unclearStep: CheckStep = { kind: 'unclear', afterMs: null, ending: failedEnding };
export const later: Extract<StartStep, { kind: 'later' }> = {
  kind: 'later',
  afterMs: null,
  channelId: null,
  ending: failedEnding,
};
export const ended = (ending: TaskEnding): { kind: 'ended'; ending: TaskEnding } => ({
  kind: 'ended',
  ending,
});

/** No events are requested for the ends of tasks. */
export const noEvents: TaskEvents = { insert: async () => {}, wake: () => {} };

/** A task as submitted. */
export function newTask(id: string, atMs: number, changes: Partial<NewTask> = {}): NewTask {
  return {
    id,
    requestId: `req_${id}`,
    accountId: 'acc',
    userId: 'usr',
    appId: 'app',
    keyId: 'key-1',
    model: 'vidB2',
    medium: 'video',
    action: null,
    fields: { prompt: 'a sea' },
    parents: [],
    webhookUrl: null,
    channelsOf: ['acc'],
    price: { unit: 'second', unitPico: 50_000_000_000n, markupBp: 0 },
    submittedAtMs: atMs,
    deadlineAtMs: atMs + limits.deadline_ms,
    channelId: null,
    ...changes,
  };
}

/** The same task as stored before its first step. */
export function queuedTask(id: string, atMs: number, changes: Partial<Task> = {}): Task {
  return {
    ...newTask(id, atMs),
    status: 'QUEUED',
    nativeId: null,
    startTries: 0,
    pollTries: 0,
    ending: null,
    endedAtMs: null,
    ...changes,
  };
}

/** A fake upstream and ledger for tasks. The key of a job is the task's id, so that a second start finds the first job. */
export interface FakeWork extends TaskWork {
  /** The upstream's jobs by task, with the number of starts that were sent. */
  readonly jobs: Map<string, number>;
  /** The settlement of each request; a second settlement changes nothing. */
  readonly settled: Map<string, TaskEnding>;
  readonly forgotten: string[];
  /** The tasks passed to each start. */
  readonly given: Task[];
  /** The next results of starts and polls. When they are used up, a start succeeds and a poll reports the job as done. */
  starts: StartStep[];
  checks: CheckStep[];
  /** Called before each effect, to wait or to fail there. */
  before: (what: 'start' | 'check' | 'settle', task: Task) => Promise<void>;
}

export function fakeWork(): FakeWork {
  const work: FakeWork = {
    jobs: new Map(),
    settled: new Map(),
    forgotten: [],
    given: [],
    starts: [],
    checks: [],
    before: async () => {},
    start: async (task, noteChannel) => {
      work.given.push(task);
      await noteChannel('ch');
      await work.before('start', task);
      const scripted = work.starts.shift();
      if (scripted !== undefined) return scripted;
      work.jobs.set(task.id, (work.jobs.get(task.id) ?? 0) + 1);
      return { kind: 'started', channelId: 'ch', nativeId: `job of ${task.id}` };
    },
    check: async (task) => {
      await work.before('check', task);
      return work.checks.shift() ?? ended(success);
    },
    settle: async (task, ending) => {
      await work.before('settle', task);
      if (!work.settled.has(task.requestId)) work.settled.set(task.requestId, ending);
    },
    forget: async (task) => {
      work.forgotten.push(task.id);
    },
  };
  return work;
}
