import { describe, expect, it } from 'vitest';
import type { TenantControl } from '../../control/client.ts';
import type { JobState } from '../../control/job-shapes.ts';
import { type Arrived, receiveCallbacks, signatureOf } from '../../testing/callback-receiver.ts';
import { postGenerate } from '../../testing/post-media.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

const song = { model: 'song-5-native', task: 'generate', reference: 'r-1', params: { prompt: 'slow' } };

async function begin(callback_url: string, job: object) {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ job }] });
  const answer = await postGenerate(simulators.base(tenant.name, 'studio'), { ...song, callback_url });
  return { tenant, taskId: answer.json<{ data: { taskId: string } }>().data.taskId };
}

/** The tenant's only job, after all its callbacks have been sent. */
async function allReported(tenant: TenantControl): Promise<JobState> {
  for (;;) {
    const [job] = await tenant.jobs();
    if (job !== undefined && job.reports_open === 0) return job;
  }
}

const stampOf = ({ headers }: Arrived): number => Number(headers['callback-timestamp']);

it('sends callbacks at the start and the end of a job, driven by the clock alone', async () => {
  const { reports, until, url } = await receiveCallbacks(200);
  const { taskId } = await begin(url, { queued_ms: 60_000, running_ms: 120_000 });
  await simulators.control.advance(60_000);
  await until(1);
  await simulators.control.advance(60_000);
  await until(2);
  const results = [expect.objectContaining({ kind: 'audio', durationSec: 20 })];
  expect(reports()).toEqual([
    { code: 200, msg: 'success', data: { callbackType: 'text', taskId, reference: 'r-1', results: [] } },
    { code: 200, msg: 'success', data: { callbackType: 'complete', taskId, reference: 'r-1', results } },
  ]);
});

it('also sends callbacks for states that a jump of the clock skipped', async () => {
  const { reports, until, url } = await receiveCallbacks(200);
  const { tenant, taskId } = await begin(url, { queued_ms: 60_000, running_ms: 120_000 });
  await simulators.control.advance(3_600_000);
  await until(2);
  const seen = reports().map(({ data }) => [data.taskId, data.callbackType]);
  expect(seen.toSorted()).toEqual([
    [taskId, 'complete'],
    [taskId, 'text'],
  ]);
  expect((await allReported(tenant)).reports.map(({ kind }) => kind)).toEqual(['text', 'complete']);
});

it('makes three attempts after errors or timeouts, with the same id and a new time each', async () => {
  const { arrived, reports, until, url } = await receiveCallbacks(500, null, 500);
  const { tenant, taskId } = await begin(url, { hold: 'queued' });
  await tenant.moveJob(taskId, { end: 'success' });
  await until(1);
  // After the first attempt, the next due times are the pause (5 s), the timeout of an attempt (15 s), and a pause again.
  for (let tried = 2; tried <= 3; tried += 1) {
    while (arrived.length < tried) await simulators.control.advance(5000);
  }
  const { reports: sent } = await allReported(tenant);
  await simulators.control.advance(60_000);
  expect(reports().map(({ data }) => data.callbackType)).toEqual(['complete', 'complete', 'complete']);
  expect(new Set(arrived.map(({ headers }) => headers['callback-id'])).size).toBe(1);
  const [first, second, third] = arrived.map(stampOf);
  expect([(second ?? 0) - (first ?? 0) >= 5, (third ?? 0) - (second ?? 0) >= 20]).toEqual([true, true]);
  expect(arrived.map((one) => one.headers['callback-signature'])).toEqual(
    arrived.map((one) => signatureOf(one)),
  );
  expect(sent).toMatchObject([{ n: 1, tries: 3, status: 500 }]);
});

it('sends no callbacks after a reset of the tenant', async () => {
  const { arrived, url } = await receiveCallbacks(200);
  const { tenant } = await begin(url, { queued_ms: 60_000, running_ms: 60_000 });
  await tenant.reset();
  await simulators.control.advance(200_000);
  expect(arrived).toEqual([]);
});

describe('a callback', () => {
  it('has a signature over its id, its time and every byte, by the key of the submit', async () => {
    const { arrived, until, url } = await receiveCallbacks(200);
    await begin(url, { queued_ms: 0, running_ms: 0 });
    await until(1);
    const [one] = arrived;
    if (one === undefined) return expect.fail();
    expect(one.headers).toMatchObject({
      'callback-id': expect.stringMatching(/^cb_\w{24}$/),
      'callback-timestamp': expect.stringMatching(/^\d{10}$/),
      'callback-signature': signatureOf(one),
      'content-type': 'application/json',
      'content-length': String(one.raw.length),
    });
    expect(one.headers['callback-signature']).not.toBe(signatureOf(one, 'sk-other'));
    const { now_ms } = await simulators.control.clock();
    expect(now_ms / 1000 - stampOf(one)).toBeLessThan(60);
  });

  it('appears in the list of jobs with its answer, and is open before that', async () => {
    const { until, url } = await receiveCallbacks([200, '{"received":true}'], [404, 'nobody']);
    const { tenant, taskId } = await begin(url, { queued_ms: 0, hold: 'running' });
    await until(1);
    expect((await tenant.jobs())[0]?.reports_open).toBeGreaterThanOrEqual(1);
    await tenant.moveJob(taskId, { end: 'success' });
    await until(2);
    while (((await tenant.jobs())[0]?.reports_open ?? 0) > 0) await simulators.control.advance(5000);
    const { reports } = await allReported(tenant);
    const good = { faulted: null, at_ms: expect.any(Number), id: expect.stringMatching(/^cb_/) };
    expect(reports).toEqual([
      { n: 1, kind: 'text', tries: 1, status: 200, answer: '{"received":true}', ...good },
      { n: 2, kind: 'complete', tries: 3, status: 404, answer: 'nobody', ...good },
    ]);
  });

  it('does not exist for a job without a URL', async () => {
    const tenant = simulators.tenant();
    await postGenerate(simulators.base(tenant.name, 'studio'), song);
    expect(await tenant.jobs()).toMatchObject([{ reports: [], reports_open: 0 }]);
  });

  it('keeps the beginning of a long answer, without the key', async () => {
    const { until, url } = await receiveCallbacks([200, `you sent sk-upstream ${'x'.repeat(500_000)}`]);
    const { tenant } = await begin(url, { queued_ms: 0, running_ms: 0 });
    await until(1);
    const { reports } = await allReported(tenant);
    expect(reports[0]?.answer).toMatch(/^you sent sha256:\w{12} x+$/);
    expect(reports[0]?.answer).toHaveLength(2048);
    expect(JSON.stringify(await tenant.jobs())).not.toContain('sk-upstream');
  });
});
