import { describe, expect, it } from 'vitest';
import { type Got, get, postJob } from '../../testing/post-media.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

const film = { model: 'vidB2-native', input: { prompt_text: 'the sea', seconds: 5 } };

interface Shown {
  id: string;
  status: string;
  progress: number;
  output: { url: string; type: string; duration_seconds?: number }[] | null;
  error: { code: string; message: string } | null;
}

/** A job in its own tenant, with a function to poll it. */
async function begin(
  body: unknown,
  job?: object,
): Promise<{ poll: () => Promise<Got>; id: string; tenantName: string }> {
  const tenant = simulators.tenant();
  if (job !== undefined) await tenant.script({ replies: [{ job }] });
  const base = simulators.base(tenant.name, 'video');
  const { id } = (await postJob(base, body)).json<Shown>();
  return { poll: () => get(`${base}/jobs/${id}`), id, tenantName: tenant.name };
}

describe('a job', () => {
  it('is accepted, waits, runs and ends with a video', async () => {
    const tenant = simulators.tenant();
    const base = simulators.base(tenant.name, 'video');
    const accepted = await postJob(base, film);
    expect([accepted.status, accepted.json()]).toEqual([
      201,
      {
        id: expect.stringMatching(/^job_\w{20}$/),
        status: 'queued',
        progress: 0,
        created_at: expect.any(Number),
      },
    ]);
    const { id } = accepted.json<Shown>();
    await simulators.control.advance(1000);
    const shown = (await get(`${base}/jobs/${id}`)).json<Shown>();
    const output = [{ url: expect.any(String), type: 'video/mp4', duration_seconds: 5 }];
    expect(shown).toEqual({ id, status: 'completed', progress: 100, output, error: null });
    expect(await get(shown.output?.[0]?.url ?? '')).toMatchObject({ status: 200, type: 'video/mp4' });
  });

  it('reports its failure, and a retry-after while it is open', async () => {
    const { poll, id, tenantName } = await begin(film, { hold: 'running', retry_after_s: 7 });
    await simulators.control.advance(1000);
    const running = await poll();
    expect([running.retryAfter, running.json<Shown>()]).toMatchObject([
      '7',
      { status: 'in_progress', output: null },
    ]);
    const error = { code: 'content_policy_violation', message: 'it is not allowed' };
    await simulators.control.tenant(tenantName).moveJob(id, { end: 'failed', error });
    const failed = await poll();
    expect([failed.retryAfter, failed.json<Shown>()]).toEqual([
      undefined,
      { id, status: 'failed', progress: expect.any(Number), output: null, error },
    ]);
  });

  it('translates a scripted error of the other dialect into its own words', async () => {
    const { poll } = await begin(film, { end: 'failed', error: { code: '413', message: 'sensitive' } });
    await simulators.control.advance(1000);
    expect((await poll()).json<Shown>().error).toEqual({
      code: 'content_policy_violation',
      message: 'sensitive',
    });
  });

  it('is unknown to another channel and after a reset', async () => {
    const { poll, id, tenantName } = await begin(film);
    expect((await get(`${simulators.base(tenantName, 'other')}/jobs/${id}`)).status).toBe(404);
    await simulators.control.tenant(tenantName).reset();
    const gone = await poll();
    expect([gone.status, gone.json()]).toMatchObject([404, { error: { code: 'job_not_found' } }]);
  });
});

describe('an idempotency key', () => {
  it('names one job, which keeps the script of its first submit', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ job: { hold: 'queued' } }, { job: { end: 'failed' } }] });
    const base = simulators.base(tenant.name, 'video');
    const answers = [await postJob(base, film, 'k'), await postJob(base, film, 'k')];
    expect(answers.map(({ status }) => status)).toEqual([201, 200]);
    expect(new Set(answers.map((answer) => answer.json<Shown>().id)).size).toBe(1);
    await simulators.control.advance(1000);
    expect(await tenant.jobs()).toMatchObject([{ submits: 2, status: 'queued', reference: 'k' }]);
  });

  it('conflicts with another body, and has at most 255 characters', async () => {
    const base = simulators.base(simulators.tenant().name, 'video');
    await postJob(base, film, 'k');
    const other = await postJob(base, { ...film, input: { prompt_text: 'the river' } }, 'k');
    expect([other.status, other.json()]).toMatchObject([409, { error: { code: 'idempotency_conflict' } }]);
    expect((await postJob(base, film, 'k'.repeat(255))).status).toBe(201);
    expect((await postJob(base, film, 'k'.repeat(256))).status).toBe(400);
  });
});

describe('a scripted interruption', () => {
  it('affects only the answer: the job exists behind a gate and after a cut', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ gates: ['head'] }, { cut: { after: 'head', by: 'rst' } }] });
    const base = simulators.base(tenant.name, 'video');
    const waiting = postJob(base, film, 'one');
    await tenant.journal({ waiting: 1 });
    expect(await tenant.jobs()).toMatchObject([{ reference: 'one', submits: 1 }]);
    await tenant.release();
    expect((await waiting).status).toBe(201);
    await expect(postJob(base, film, 'two')).rejects.toThrow();
    expect(await tenant.jobs()).toMatchObject([{ reference: 'one' }, { reference: 'two', submits: 1 }]);
  });

  it('prevents the job if the answer hangs or is raw', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ status: 503 }, { hang: 'head' }] });
    const base = simulators.base(tenant.name, 'video');
    expect((await postJob(base, film, 'one')).json()).toMatchObject({ error: { type: 'server_error' } });
    postJob(base, film, 'one').catch(() => {});
    await tenant.journal({ waiting: 1 });
    expect(await tenant.jobs()).toEqual([]);
  });
});

describe('an error', () => {
  it.each([
    [{ ...film, extra: 1 }, 'extra', 'unknown_parameter'],
    [{ model: film.model }, 'input', 'missing_required_parameter'],
    [{ model: film.model, input: {} }, 'input.prompt_text', 'missing_required_parameter'],
    [{ model: film.model, input: { prompt_text: 'a', seconds: 6 } }, 'input.seconds', 'invalid_value'],
    [{ model: film.model, input: { prompt_text: 'a', seconds: '5' } }, 'input.seconds', 'invalid_value'],
    [{ model: film.model, input: { prompt_text: 'a', ratio: '1:1' } }, 'input.ratio', 'invalid_value'],
    [{ model: film.model, input: { prompt_text: 'a', camera: 'pan' } }, 'input.camera', 'unknown_parameter'],
    [
      { model: 'talk-audio-native', input: { portrait: 'https://a.example/b' } },
      'input.driving_audio',
      'missing_required_parameter',
    ],
    [
      { model: 'motion-aleph-native', input: { prompt_text: 'a', source_video: 'b' } },
      'input.source_video',
      'invalid_value',
    ],
  ])('names the invalid member, and creates no job: %j', async (body, param, code) => {
    const tenant = simulators.tenant();
    const answer = await postJob(simulators.base(tenant.name, 'video'), body, 'k');
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { param, code } }]);
    expect(await tenant.jobs()).toEqual([]);
  });

  it('differs for an unknown model, a wrong method and an unknown path', async () => {
    const base = simulators.base(simulators.tenant().name, 'video');
    expect((await postJob(base, { ...film, model: 'vidB2' })).json()).toMatchObject({
      error: { code: 'model_not_found' },
    });
    expect((await get(`${base}/jobs`)).status).toBe(405);
    expect((await get(`${base}/jobs/a/b`)).status).toBe(404);
  });
});

it('a video depends only on the content of the request', async () => {
  const bytes = async (body: object): Promise<string> => {
    const { poll } = await begin(body);
    await simulators.control.advance(1000);
    return (await get((await poll()).json<Shown>().output?.[0]?.url ?? '')).bytes.toString('base64');
  };
  const turned = { model: film.model, input: { seconds: 5, prompt_text: 'the sea' } };
  const [one, again, other] = [
    await bytes(film),
    await bytes(turned),
    await bytes({ ...film, input: { ...film.input, seconds: 10 } }),
  ];
  expect([one === again, one === other]).toEqual([true, false]);
});
