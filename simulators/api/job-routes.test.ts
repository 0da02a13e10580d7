import { describe, expect, it } from 'vitest';
import { type ControlError, TenantControl } from '../control/client.ts';
import { parseScript } from '../schemas/script-schema.ts';
import { postGenerate, postJob } from '../testing/post-media.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

const film = { model: 'vidB2-native', input: { prompt_text: 'the sea' } };

const refusal = (call: Promise<unknown>): Promise<ControlError> =>
  call.then(
    () => expect.fail(),
    (error) => error,
  );

describe('the jobs of a tenant', () => {
  it('are listed in the order of submission, with submitter and number of submits', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ job: { hold: 'queued' } }] });
    const base = simulators.base(tenant.name, 'video');
    await postJob(base, film, 'key-1');
    await postJob(base, film, 'key-1');
    await postGenerate(base, {
      model: 'voice-music-native',
      task: 'music',
      reference: 'r-1',
      params: { prompt: 'a' },
    });
    expect(await tenant.jobs()).toEqual([
      expect.objectContaining({
        channel: 'video',
        dialect: 'jobs',
        model: 'vidB2-native',
        reference: 'key-1',
        status: 'queued',
        submits: 2,
        polls: 0,
        downloads: 0,
        parent: null,
        request_n: 1,
      }),
      expect.objectContaining({ dialect: 'callback-jobs', reference: 'r-1', submits: 1, request_n: 3 }),
    ]);
    expect(await simulators.tenant().jobs()).toEqual([]);
  });

  it('can be moved by hand, and reject impossible moves', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ job: { hold: 'queued' } }] });
    await postJob(simulators.base(tenant.name, 'video'), film);
    const id = (await tenant.jobs())[0]?.id ?? '';
    expect(await tenant.moveJob(id, { to: 'running' })).toMatchObject({ id, status: 'running' });
    expect(await tenant.moveJob(id, { end: 'canceled' })).toMatchObject({ status: 'canceled' });
    expect(await refusal(tenant.moveJob(id, { end: 'success' }))).toMatchObject({
      status: 409,
      message: 'the job has ended: canceled',
    });
    expect(await refusal(tenant.moveJob('job_none', { end: 'success' }))).toMatchObject({ status: 404 });
    expect(await refusal(tenant.moveJob(id, { end: 'done' } as never))).toMatchObject({
      status: 400,
      path: 'end',
    });
    expect(tenant).toBeInstanceOf(TenantControl);
  });
});

it('the journal filters requests by a text in their target', async () => {
  const tenant = simulators.tenant();
  const base = simulators.base(tenant.name, 'video');
  await postJob(base, film);
  await postGenerate(base, {});
  const { entries } = await tenant.journal({ path: '/v1/jobs' });
  expect(entries.map(({ n }) => n)).toEqual([1]);
});

it.each([
  [{ running_ms: -1 }, 'running_ms'],
  [{ queued_ms: 50, running_ms: 40 }, 'running_ms'],
  [{ hold: 'ended' }, 'hold'],
  [{ error: { code: 'a', message: 'b' } }, 'error'],
  [{ end: 'failed', error: { code: 1 } }, 'error.code'],
  [{ outputs: 17 }, 'outputs'],
  [{ lives: 9 }, 'lives'],
])('rejects a script with an impossible job: %j', (job, member) => {
  const parsed = parseScript({ replies: [{ job }] });
  expect(parsed).toMatchObject({ ok: false, bad: { path: `replies[0].job.${member}` } });
});

it('rejects a job in a raw answer', () => {
  expect(parseScript({ replies: [{ status: 503, job: {} }] })).toMatchObject({
    ok: false,
    bad: { path: 'replies[0].job' },
  });
});
