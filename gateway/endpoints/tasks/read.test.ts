import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TaskEnding } from '../../services/tasks/task.ts';
import { mediaBody } from '../../testing/media-bodies.ts';
import { startTestGateway, type TestGateway, testConfig } from '../../testing/test-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway(testConfig('http://127.0.0.1:9'));
});
afterAll(() => gateway.close());

async function submitted(body: object = mediaBody('vidB2')): Promise<{ id: string; submit_time: string }> {
  const { json } = await gateway.submit(body);
  return { id: json.task_id, submit_time: json.submit_time };
}

const success: TaskEnding = {
  status: 'SUCCESS',
  results: [{ file: 'aa.mp4' }, { file: 'bb.mp4' }],
  durationSec: 5,
};

describe('a task that is read', () => {
  it('shows all it has from its submission to its success', async () => {
    const { id, submit_time } = await submitted();
    const before = {
      task_id: id,
      status: 'QUEUED',
      model: 'vidB2',
      submit_time,
      result_urls: null,
      duration_sec: null,
      error: null,
    };
    expect(await gateway.readTask(id)).toMatchObject({ status: 200, json: before });
    expect(Object.keys((await gateway.readTask(id)).json).toSorted()).toEqual(Object.keys(before).toSorted());
    gateway.tasks.change(id, { status: 'RUNNING' });
    expect((await gateway.readTask(id)).json).toEqual({ ...before, status: 'RUNNING' });
    gateway.tasks.end(id, success);
    const result_urls = [`${gateway.url}/media/aa.mp4`, `${gateway.url}/media/bb.mp4`];
    expect((await gateway.readTask(id)).json).toEqual({
      ...before,
      status: 'SUCCESS',
      result_urls,
      duration_sec: 5,
    });
  });

  it('says nothing of an end that is decided and not yet charged', async () => {
    const { id } = await submitted();
    gateway.tasks.change(id, { status: 'RUNNING', ending: success });
    expect((await gateway.readTask(id)).json).toMatchObject({
      result_urls: null,
      duration_sec: null,
      error: null,
    });
  });

  it('says why it failed in the words of the table', async () => {
    const { id } = await submitted();
    const error = { code: 'content_filter', message: 'Blocked.', param: null, channel: 'ch-jobs' } as const;
    gateway.tasks.end(id, { status: 'FAILED', error });
    expect((await gateway.readTask(id)).json).toMatchObject({
      status: 'FAILED',
      error: { type: 'invalid_request_error', ...error },
      result_urls: null,
    });
  });

  it('has nothing to say beyond it when it has expired', async () => {
    const { id } = await submitted();
    gateway.tasks.end(id, { status: 'EXPIRED' });
    expect((await gateway.readTask(id)).json).toMatchObject({
      status: 'EXPIRED',
      error: null,
      result_urls: null,
    });
  });

  it('names its step and what it builds on', async () => {
    const shanty = mediaBody('song-v5');
    const [one, two] = [(await submitted(shanty)).id, (await submitted(shanty)).id];
    for (const id of [one, two]) gateway.tasks.end(id, { ...success, results: [{ file: 'a.mp3' }] });
    expect((await gateway.readTask(one)).json).toMatchObject({ action: 'generate' });
    expect((await gateway.readTask(one)).json).not.toHaveProperty('parent_task_id');
    const wav = await submitted({ model: 'song-v5', action: 'wav', parent_task_id: one });
    expect((await gateway.readTask(wav.id)).json).toMatchObject({ action: 'wav', parent_task_id: one });
    expect((await gateway.readTask(wav.id)).json).not.toHaveProperty('parent_task_ids');
    const both = await submitted({ model: 'song-v5', action: 'mashup', parent_task_ids: [two, one] });
    expect((await gateway.readTask(both.id)).json).toMatchObject({
      action: 'mashup',
      parent_task_id: two,
      parent_task_ids: [two, one],
    });
  });
});

it('counts as a request in flight, which a task that was handed in does not', async () => {
  const { id } = await submitted();
  let keep = (): void => {};
  const kept = new Promise<void>((resolve) => {
    keep = resolve;
  });
  let arrived = 0;
  const all = new Promise<void>((resolve) => {
    gateway.tasks.onSubmit = () => {
      arrived += 1;
      if (arrived === 3) resolve();
      return kept;
    };
  });
  const submissions = [1, 2, 3].map(() => gateway.submit(mediaBody('vidB2')));
  await all;
  expect((await gateway.readTask(id)).json.error.code).toBe('concurrency_exceeded');
  keep();
  for (const { status } of await Promise.all(submissions)) expect(status).toBe(200);
  gateway.tasks.onSubmit = async () => {};
  expect((await gateway.readTask(id)).status).toBe(200);
});
