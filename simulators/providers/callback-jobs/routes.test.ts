import { describe, expect, it } from 'vitest';
import { get, postGenerate } from '../../testing/post-media.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

interface NativeRecord {
  taskId: string;
  reference: string | null;
  status: string;
  results: { url: string; kind: string; durationSec?: number }[];
  errorCode: number | null;
  errorMessage: string | null;
}

interface NativeAnswer {
  code: number;
  msg: string;
  data: NativeRecord | null;
}

const studio = (): string => simulators.base(simulators.tenant().name, 'studio');

const imagine = { model: 'journey-7-native', task: 'imagine', reference: 'r', params: { prompt: 'the sea' } };
const song = {
  model: 'song-5-native',
  task: 'generate',
  reference: 'r',
  params: { prompt: 'slow', durationSec: 60 },
};

/** Submits a job and lets it end. */
async function finish(base: string, body: object): Promise<NativeRecord> {
  const { data } = (await postGenerate(base, body)).json<NativeAnswer>();
  await simulators.control.advance(1000);
  return recordOf(base, `taskId=${data?.taskId}`);
}

async function recordOf(base: string, query: string): Promise<NativeRecord> {
  const { data } = (await get(`${base}/record?${query}`)).json<NativeAnswer>();
  if (data === null) throw new Error('there is no record');
  return data;
}

describe('a record', () => {
  it('goes from pending through its text to success, and is found by id and by reference', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ job: { hold: 'queued', retry_after_s: 3 } }] });
    const base = simulators.base(tenant.name, 'studio');
    const { code, msg, data } = (await postGenerate(base, imagine)).json<NativeAnswer>();
    expect([code, msg, data]).toEqual([200, 'success', { taskId: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    const taskId = data?.taskId ?? '';
    const pending = await recordOf(base, 'reference=r');
    expect(pending).toEqual({
      taskId,
      reference: 'r',
      status: 'PENDING',
      results: [],
      errorCode: null,
      errorMessage: null,
    });
    await tenant.moveJob(taskId, { to: 'running' });
    expect(await recordOf(base, `taskId=${taskId}`)).toMatchObject({ status: 'TEXT_SUCCESS', results: [] });
    expect((await get(`${base}/record?taskId=${taskId}`)).retryAfter).toBe('3');
    await tenant.moveJob(taskId, { end: 'success' });
    expect(await recordOf(base, 'reference=r')).toMatchObject({
      status: 'SUCCESS',
      results: Array(4).fill({ kind: 'image' }),
    });
    expect(await tenant.jobs()).toMatchObject([{ polls: 4 }]);
  });

  it.each([
    ['content_policy_violation', 'SENSITIVE_WORD_ERROR', 413],
    ['413', 'SENSITIVE_WORD_ERROR', 413],
    ['invalid_input', 'CREATE_TASK_FAILED', 400],
    ['internal_error', 'GENERATE_FAILED', 500],
    ['no_idea', 'GENERATE_FAILED', 531],
  ])('of a job that failed with %s has status %s and code %i', async (code, status, errorCode) => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ job: { end: 'failed', error: { code, message: 'no' } } }] });
    const record = await finish(simulators.base(tenant.name, 'studio'), song);
    expect(record).toMatchObject({ status, results: [], errorCode, errorMessage: 'no' });
  });

  it('by reference belongs to the first of two jobs with that reference', async () => {
    const base = studio();
    const ids = [await postGenerate(base, song), await postGenerate(base, song)].map(
      (answer) => answer.json<NativeAnswer>().data?.taskId,
    );
    expect(new Set(ids).size).toBe(2);
    expect((await recordOf(base, 'reference=r')).taskId).toBe(ids[0]);
  });
});

describe('a grid', () => {
  it('must come from the same channel and have the right kind for a follow-up task', async () => {
    const base = studio();
    const grid = await finish(base, imagine);
    const large = await finish(base, {
      ...imagine,
      task: 'upscale',
      parent: grid.taskId,
      params: { index: 1 },
    });
    const ask = async (more: object, at = base): Promise<unknown> => {
      const { code, msg, data } = (
        await postGenerate(at, { ...imagine, params: {}, ...more })
      ).json<NativeAnswer>();
      return [code, msg, data];
    };
    const unknown = [404, 'parent record not found', null];
    expect(await ask({ task: 'reroll', parent: 'none' })).toEqual(unknown);
    expect(await ask({ task: 'reroll', parent: grid.taskId }, base.replace('studio', 'other'))).toEqual(
      unknown,
    );
    expect(await ask({ task: 'reroll', parent: large.taskId })).toMatchObject([
      400,
      'the parent is of another kind',
      null,
    ]);
    expect(await ask({ task: 'reroll' })).toMatchObject([400, "'parent' is required for this task", null]);
  });
});

it('speech lasts as long as its text needs, and music twenty seconds by default', async () => {
  const speak = { model: 'voice_v3', task: 'speak', params: { text: 'a'.repeat(31), voiceId: 'v' } };
  expect((await finish(studio(), speak)).results).toMatchObject([{ kind: 'audio', durationSec: 3 }]);
  const music = { model: 'voice-music-native', task: 'music', params: { prompt: 'slow' } };
  expect((await finish(studio(), music)).results).toMatchObject([{ kind: 'audio', durationSec: 20 }]);
});

describe('an error', () => {
  it.each([
    [{ ...imagine, extra: 1 }, "there is no parameter 'extra' for this model"],
    [{ ...imagine, params: {} }, "the parameter 'params.prompt' is required"],
    [{ ...imagine, params: { prompt: 'a', stylize: 1001 } }, "'params.stylize': "],
    [
      { ...imagine, params: { prompt: 'a', index: 1 } },
      "there is no parameter 'params.index' for this model",
    ],
    [{ ...imagine, params: { prompt: 'a', ratio: 'wide' } }, "'params.ratio': expected a ratio as in 4:3"],
    [{ ...imagine, parent: 'a' }, "'parent' is not for this task"],
    [{ ...imagine, task: 'sing' }, "'journey-7-native' has no task 'sing'"],
    [{ ...imagine, model: 'journey-v7' }, "there is no model 'journey-v7'"],
    [{ ...song, task: 'mashup', params: {} }, "'parents' is required for this task"],
    [{ ...song, task: 'cover', params: { durationSec: '60' }, parent: 'a' }, "'params.durationSec': "],
  ])('has HTTP status 200 and the error code in the body: %j', async (body, words) => {
    const answer = await postGenerate(studio(), body);
    expect([answer.status, answer.json()]).toEqual([
      200,
      { code: 400, msg: expect.stringContaining(words), data: null },
    ]);
  });

  it('covers an unknown record, and a scripted status without a body', async () => {
    const tenant = simulators.tenant();
    const base = simulators.base(tenant.name, 'studio');
    expect((await get(`${base}/record?taskId=none`)).json()).toEqual({
      code: 404,
      msg: 'record not found',
      data: null,
    });
    await tenant.script({ replies: [{ status: 503 }] });
    const answer = await postGenerate(base, imagine);
    expect([answer.status, answer.json()]).toMatchObject([503, { code: 500, data: null }]);
  });
});
