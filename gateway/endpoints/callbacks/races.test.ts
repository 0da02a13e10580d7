import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { report, type SentCallback, sendCallback } from '../../testing/callback-sender.ts';
import { studioAt } from '../../testing/channels.ts';
import { type FakeUpstream, json, startFakeUpstream } from '../../testing/fake-upstream.ts';
import { mediaBody } from '../../testing/media-bodies.ts';
import { type NativeJobs, playRecords } from '../../testing/native-jobs.ts';
import { file, mp3 } from '../../testing/native-media.ts';
import { startTaskGateway, type TaskGateway } from '../../testing/running-tasks.ts';
import { testConfig } from '../../testing/test-gateway.ts';
import type { Answer } from '../../testing/wire.ts';

/** So far apart are the looks at a job that nobody reports: what happens sooner happens because of a callback. */
const pollMs = 600_000;
const hook = 'https://hooks.example.com/ended';

let upstream: FakeUpstream;
let gateway: TaskGateway;
let native: NativeJobs;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  native = playRecords(upstream);
  native.files.set('a.mp3', file(mp3));
  const tasks = { poll_ms: pollMs, poll_most_ms: 2 * pollMs, deadline_ms: 10 * pollMs };
  gateway = await startTaskGateway(testConfig('', { channels: [studioAt(upstream.url)], tasks }));
});
beforeEach(() => {
  for (const list of [upstream.seen, upstream.asked, upstream.queue, upstream.answers]) list.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const submit = async (): Promise<string> =>
  (await gateway.submit({ ...mediaBody('voice-v3'), webhook_url: hook })).json.task_id;
/** A task whose job has been started, and the upstream's id of that. */
const started = async (): Promise<{ task: string; job: string }> => {
  const task = await submit();
  await gateway.until(task, 'RUNNING');
  const job = native.made.find(({ name }) => name === task)?.id ?? '';
  return { task, job };
};
const sendReport = (job: string, kind?: string, more: SentCallback = {}): Promise<Answer> =>
  sendCallback(gateway.url, () => gateway.clock.now(), { body: report(job, kind), ...more });
const finish = (job: string): void => {
  native.records.set(job, { status: 'SUCCESS', results: [{ url: `${upstream.url}/files/a.mp3` }] });
};
const looks = (job: string): number =>
  upstream.asked.filter(({ path }) => path.endsWith(`?taskId=${job}`)).length;
/** What the task was charged as and what was reported to its caller, which is each only once. */
const ends = (task: string): unknown[] => [
  gateway.records.filter((record) => record.task_id === task).map(({ outcome }) => outcome),
  gateway.webhooks
    .all()
    .filter(({ taskId }) => taskId === task)
    .map(({ type }) => type),
];
const oneSuccess = [['success'], ['task.success']];

it('tells the upstream where to report back, and hears of the end at once', async () => {
  const { task, job } = await started();
  expect(native.made.at(-1)?.body.callback_url).toBe(`${gateway.url}/callbacks/studio`);
  finish(job);
  expect((await sendReport(job)).status).toBe(200);
  await gateway.until(task, 'SUCCESS');
  expect(ends(task)).toEqual(oneSuccess);
});

it.for(['twice', 'ten times', 'at the same moment'] as const)(
  'ends once when its end is reported %s (W1)',
  async (how) => {
    const { task, job } = await started();
    finish(job);
    const again = how === 'twice' ? 2 : 10;
    const answers: Promise<Answer>[] = [];
    for (let n = 0; n < again; n += 1) {
      // Some under the same id, some under one of their own.
      answers.push(sendReport(job, 'complete', n % 2 === 0 ? { id: `cb_same_${how.length}` } : {}));
      if (how !== 'at the same moment') await answers[n];
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
    await gateway.until(task, 'SUCCESS');
    expect(ends(task)).toEqual(oneSuccess);
  },
);

it('comes to what the upstream says when it is asked, in whatever order it reports (W2)', async () => {
  const { task, job } = await started();
  finish(job);
  await sendReport(job, 'complete');
  await gateway.until(task, 'SUCCESS');
  native.records.set(job, { status: 'GENERATE_FAILED' });
  for (const kind of ['text', 'first', 'error']) expect((await sendReport(job, kind)).status).toBe(200);
  await gateway.tasks.idle(2_000);
  expect(await gateway.until(task, 'SUCCESS', 'FAILED')).toBe('SUCCESS');
  expect(ends(task)).toEqual(oneSuccess);
});

it.for(['complete', 'error'])('ends nothing by a report of %s alone (W7)', async (kind) => {
  const { task, job } = await started();
  await sendReport(job, kind);
  await vi.waitUntil(() => looks(job) === 1, { interval: 5 });
  await gateway.tasks.idle(2_000);
  expect(await gateway.until(task, 'RUNNING', 'SUCCESS', 'FAILED')).toBe('RUNNING');
  expect(ends(task)).toEqual([[], []]);
});

it('hears what is reported before the start of the job was answered (W3)', async () => {
  upstream.queue.push(async (response, request) => {
    const { id } = native.make(request);
    finish(id);
    expect((await sendReport(id)).status).toBe(200);
    json(200, { code: 200, msg: 'success', data: { taskId: id } })(response, request);
  });
  const task = await submit();
  await gateway.until(task, 'SUCCESS');
  expect(ends(task)).toEqual(oneSuccess);
});

it('asks by itself where nothing is reported (W4)', async () => {
  const { task, job } = await started();
  finish(job);
  await gateway.clock.advance(pollMs);
  await gateway.until(task, 'SUCCESS');
  expect(ends(task)).toEqual(oneSuccess);
});

it('asks nobody because of what is forged or old (W5, W6)', async () => {
  const { task, job } = await started();
  finish(job);
  const bad: readonly SentCallback[] = [
    { apiKey: 'guessed' },
    { headers: { 'callback-signature': '' } },
    { signed: report('another') },
    { aheadS: -301 },
    { aheadS: 302 },
  ];
  for (const more of bad)
    expect((await sendReport(job, 'complete', more)).status).toBeGreaterThanOrEqual(400);
  await gateway.tasks.idle(2_000);
  expect([looks(job), await gateway.until(task, 'RUNNING', 'SUCCESS')]).toEqual([0, 'RUNNING']);
});

it('asks after the job that is reported, and after no other (W7)', async () => {
  const [one, other] = [await started(), await started()];
  finish(one.job);
  finish(other.job);
  await sendReport(other.job);
  await gateway.until(other.task, 'SUCCESS');
  await sendReport('a job that nobody has');
  expect(await gateway.until(one.task, 'RUNNING', 'SUCCESS')).toBe('RUNNING');
  expect(looks(one.job)).toBe(0);
});

it('ends once when its end is reported while it is asking (W8)', async () => {
  const { task, job } = await started();
  finish(job);
  const { answer } = upstream;
  upstream.answers.push(async (response, request) => {
    await Promise.all([sendReport(job), sendReport(job), sendReport(job, 'text')]);
    await answer(response, request);
  });
  await gateway.clock.advance(pollMs);
  await gateway.until(task, 'SUCCESS');
  await gateway.tasks.idle(2_000);
  expect([looks(job), ends(task)]).toEqual([1, oneSuccess]);
});
