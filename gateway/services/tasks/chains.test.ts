import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mediaBody } from '../../testing/media-bodies.ts';
import { startTestGateway, type TestGateway, testConfig, testKey } from '../../testing/test-gateway.ts';
import type { Task, TaskEnding } from './task.ts';

const stranger = 'sk-app-a-stranger';
const users = { users: [{ id: 'usr', cap: 3 }], apps: [{ id: 'app' }] };
const key = (id: string, secret: string) => ({ id, user: 'usr', app: 'app', secret });

let gateway: TestGateway;
beforeAll(async () => {
  const accounts = [
    { id: 'acc', ...users, keys: [key('key-1', testKey)] },
    {
      id: 'stranger',
      users: [{ id: 'stranger-usr' }],
      apps: [{ id: 'stranger-app' }],
      keys: [{ id: 'key-9', user: 'stranger-usr', app: 'stranger-app', secret: stranger }],
    },
  ];
  gateway = await startTestGateway(
    testConfig('http://127.0.0.1:9', { accounts, public_url: 'https://media.example.com/base/' }),
  );
});
afterAll(() => gateway.close());

const endedWith = (...files: readonly string[]): TaskEnding => ({
  status: 'SUCCESS',
  results: files.map((file) => ({ file })),
  durationSec: null,
});
const failedEnding: TaskEnding = {
  status: 'FAILED',
  error: { code: 'upstream_error', message: 'The upstream failed.', param: null, channel: null },
};

/** A task that has come to its end, on its channel. */
async function ended(
  body: object,
  ending: TaskEnding = endedWith('a.png', 'b.png'),
  by = testKey,
): Promise<string> {
  const { json } = await gateway.submit(body, by);
  gateway.tasks.change(json.task_id, { channelId: 'ch-callback-jobs', nativeId: `native-${json.task_id}` });
  gateway.tasks.end(json.task_id, ending);
  return json.task_id;
}

const journey = (changes: object = {}) => ({ model: 'journey-v7', ...changes });
const imagine = journey({ prompt: 'a quiet sea' });
const song = (changes: object) => ({ model: 'song-v5', ...changes });
const generate = song({ prompt: 'a shanty' });

/** The step that a body makes, when it is taken. */
async function made(body: object): Promise<Task | undefined> {
  const { status, json } = await gateway.submit(body);
  expect([status, json.error]).toEqual([200, undefined]);
  return gateway.tasks.all().find(({ id }) => id === json.task_id);
}

async function refused(body: object, param = 'parent_task_id'): Promise<string> {
  const count = gateway.tasks.all().length;
  const { status, json } = await gateway.submit(body);
  expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_param', param]);
  expect(gateway.tasks.all()).toHaveLength(count);
  return json.error.message;
}

describe('a step of journey-v7', () => {
  it('remembers the chain from its beginning, and goes where its parent was made', async () => {
    const first = await ended(imagine);
    const second = await ended(journey({ action: 'variation', parent_task_id: first, index: 2 }));
    const third = await ended(journey({ action: 'reroll', parent_task_id: second }));
    const step = await made(journey({ action: 'upscale', parent_task_id: third, index: 4 }));
    expect(step).toMatchObject({
      action: 'upscale',
      parents: [first, second, third],
      channelId: 'ch-callback-jobs',
      fields: { index: 4 },
    });
    expect(gateway.tasks.all().find(({ id }) => id === first)).toMatchObject({
      parents: [],
      status: 'SUCCESS',
    });
  });

  it.for([
    ['upscale', { index: 1 }],
    ['variation', { index: 1 }],
    ['reroll', {}],
  ] as const)('%s builds on steps that made four pictures, and on nothing else', async ([action, more]) => {
    const grid = await ended(imagine);
    const on = (parent: string) => journey({ action, parent_task_id: parent, ...more });
    for (const how of ['variation', 'reroll']) {
      const index = how === 'variation' ? { index: 1 } : {};
      await made(on(await ended(journey({ action: how, parent_task_id: grid, ...index }))));
    }
    await made(on(grid));
    await refused(on(await ended(journey({ action: 'upscale', parent_task_id: grid, index: 1 }))));
    await refused(on(await ended(generate)));
    await refused(on(await ended(mediaBody('vidB2'))));
  });

  it('builds on nothing that has not succeeded', async () => {
    const { json } = await gateway.submit(imagine);
    const on = (parent: string) => journey({ action: 'reroll', parent_task_id: parent });
    await refused(on(json.task_id));
    gateway.tasks.change(json.task_id, { status: 'RUNNING', ending: endedWith('a.png') });
    await refused(on(json.task_id));
    await refused(on(await ended(imagine, failedEnding)));
    await refused(on(await ended(imagine, { status: 'EXPIRED' })));
  });
});

describe('an action of song-v5', () => {
  const on = (action: string, parent: string) => song({ action, parent_task_id: parent });

  it('builds on whatever made music', async () => {
    const first = await ended(generate, endedWith('a.mp3'));
    for (const action of ['extend', 'cover', 'add-vocals', 'instrumental', 'stem', 'wav', 'replace']) {
      const parent = await ended(on(action, first), endedWith('b.mp3'));
      expect(await made(on('extend', parent))).toMatchObject({ parents: [first, parent] });
    }
  });

  it('does not build on words, pictures or other models', async () => {
    const first = await ended(generate, endedWith('a.mp3'));
    for (const action of ['lyrics', 'mv', 'cover-img'])
      await refused(on('extend', await ended(on(action, first), endedWith('b.lrc'))));
    await refused(on('extend', await ended(imagine)));
    await refused(on('extend', await ended(mediaBody('voice-music'), endedWith('a.mp3'))));
  });

  it('mashup remembers what both of its parents build on, and them at the end', async () => {
    const one = await ended(generate, endedWith('a.mp3'));
    const two = await ended(generate, endedWith('b.mp3'));
    const longer = await ended(on('extend', one), endedWith('c.mp3'));
    const task = await made(song({ action: 'mashup', parent_task_ids: [longer, two] }));
    expect(task?.parents).toEqual([one, longer, two]);
    expect((await made(song({ action: 'mashup', parent_task_ids: [longer, one] })))?.parents).toEqual([
      longer,
      one,
    ]);
    await refused(song({ action: 'mashup', parent_task_ids: [two, 'task_x'] }), 'parent_task_ids[1]');
  });

  it('persona builds on a task when one is named', async () => {
    const persona = { action: 'persona', persona_id: 'persona_1' };
    expect(await made(song(persona))).toMatchObject({ parents: [], channelId: null });
    const first = await ended(generate, endedWith('a.mp3'));
    expect(await made(song({ ...persona, parent_task_id: first }))).toMatchObject({ parents: [first] });
  });
});

describe('a video that begins with what an image task made', () => {
  const from = (task: string) => mediaBody('vidA-3.1-quality', { image: { task_id: task } });

  it('is given the first picture, by our link', async () => {
    const grid = await ended(imagine, endedWith('one.png', 'two.png'));
    expect(await made(from(grid))).toMatchObject({
      fields: { image: 'https://media.example.com/base/media/one.png' },
      parents: [grid],
      channelId: null,
    });
    const large = await ended(
      journey({ action: 'upscale', parent_task_id: grid, index: 1 }),
      endedWith('large.png'),
    );
    expect(await made(from(large))).toMatchObject({ parents: [grid, large] });
  });

  it('is refused without such a task of the account, in the same words for foreign and unknown ones', async () => {
    const foreign = await ended(imagine, endedWith('a.png'), stranger);
    const words = [foreign, 'task_unknown', 'x'].map((name) => refused(from(name), 'image.task_id'));
    expect(new Set(await Promise.all(words)).size).toBe(1);
    await refused(from(await ended(generate, endedWith('a.mp3'))), 'image.task_id');
    await refused(from(await ended(imagine, failedEnding)), 'image.task_id');
  });
});
