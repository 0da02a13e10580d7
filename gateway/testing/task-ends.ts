import type { Task } from '../services/tasks/task.ts';
import type { CheckStep, StartStep, TaskWork } from '../services/tasks/task-work.ts';
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts';
import { mediaBody } from './media-bodies.ts';
import { startTestGateway, type TestGateway, testConfig } from './test-gateway.ts';

/** A gateway whose tasks only the test advances, and the upstreams behind it. */
export interface TaskEnds {
  readonly gateway: TestGateway;
  readonly work: TaskWork;
  readonly upstreams: readonly FakeUpstream[];
  /** Submits the shortest legal task of a model, with changes; returns it as stored. */
  submit(model: string, changes?: object): Promise<Task>;
  /** Makes one attempt to start its job, and stores the result as the task machine would. */
  start(task: Task): Promise<StartStep & { readonly noted: readonly string[] }>;
  /** Polls its job once. */
  check(task: Task): Promise<CheckStep>;
  /** The task as stored now. */
  now(task: Task): Task;
  close(): Promise<void>;
}

/** Models of each dialect, for channels that tests can distinguish. */
const jobs = { vidB2: 'native-b2', 'vidA-3.1-quality': 'native-a', 'upscale-video': 'native-up' };
const records = { 'journey-v7': 'native-journey', 'song-v5': 'native-song', 'voice-v3': 'native-voice' };

/** Starts upstreams and a gateway with two channels for each: `jobs-a` and `songs-a` for the first, and so on. */
export async function startTaskEnds(
  count: number,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<TaskEnds> {
  const upstreams = await Promise.all(Array.from({ length: count }, () => startFakeUpstream()));
  const channels = upstreams.flatMap(({ url }, i) => {
    const letter = String.fromCharCode(97 + i);
    const common = { base_url: `${url}/v1`, api_key: `key-${letter}`, priority: i };
    return [
      { id: `jobs-${letter}`, dialect: 'jobs', models: jobs, ...common },
      { id: `songs-${letter}`, dialect: 'callback-jobs', models: records, ...common },
    ];
  });
  const gateway = await startTestGateway(testConfig('', { channels, ...changes }));
  const { work } = gateway;
  const now = ({ id }: Task): Task => {
    const task = gateway.tasks.all().find((one) => one.id === id);
    if (task === undefined) throw new Error(`no task ${id}`);
    return task;
  };
  return {
    gateway,
    work,
    upstreams,
    now,
    submit: async (model, more = {}) => {
      const body = Object.entries(mediaBody(model, { ...more })).filter(([, value]) => value !== null);
      const { status, json, text } = await gateway.submit(Object.fromEntries(body));
      if (status !== 200) throw new Error(text);
      return now({ id: json.task_id } as Task);
    },
    start: async (task) => {
      const noted: string[] = [];
      const step = await work.start(now(task), async (channelId) => {
        noted.push(channelId);
        gateway.tasks.change(task.id, { channelId });
      });
      const startTries = now(task).startTries + 1;
      if (step.kind === 'started') {
        const { channelId, nativeId } = step;
        gateway.tasks.change(task.id, { channelId, nativeId, status: 'RUNNING', startTries });
      }
      if (step.kind === 'later') gateway.tasks.change(task.id, { channelId: step.channelId, startTries });
      return { ...step, noted };
    },
    check: async (task) => {
      const step = await work.check(now(task));
      const pollTries = step.kind === 'unclear' ? now(task).pollTries + 1 : 0;
      gateway.tasks.change(task.id, { pollTries });
      if (step.kind === 'ended') gateway.tasks.end(task.id, step.ending);
      return step;
    },
    close: async () => {
      await gateway.close();
      await Promise.all(upstreams.map((upstream) => upstream.close()));
    },
  };
}
