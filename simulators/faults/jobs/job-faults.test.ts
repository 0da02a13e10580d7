import { describe, expect, it } from 'vitest';
import { jobFaultFacts } from '../../fault-contract/known-faults.ts';
import { JobCaller, type JobDialect, type JobState, jobDialects } from '../../testing/job-caller.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators();

const caller = (dialect: JobDialect): JobCaller => new JobCaller(simulators, dialect);

/** Begins a job with the fault and polls it the given number of times. */
async function asked(dialect: JobDialect, id: string, form: string, times: number): Promise<unknown[]> {
  const job = caller(dialect);
  await job.submit({ id, form });
  return (await job.polls(times)).map((one) => (typeof one === 'number' ? one : one.status));
}

/** The URL of the job's first output. */
async function firstUrl(job: JobCaller, poll: number): Promise<unknown> {
  const last = (await job.polls(poll)).at(-1) as JobState;
  return last.urls?.[0];
}

const running = { jobs: 'in_progress', 'callback-jobs': 'TEXT_SUCCESS' } as const;
const done = { jobs: 'completed', 'callback-jobs': 'SUCCESS' } as const;

describe.each(jobDialects)('in %s', (dialect) => {
  it.each(jobFaultFacts.get('J1')?.forms ?? [])('J1 %s begins no job', async (form) => {
    const job = caller(dialect);
    const { json, status } = await job.submit({ id: 'J1', form });
    expect(
      dialect === 'jobs' || form === 'cdn-html' ? status : (json as { code: number }).code,
    ).toBeGreaterThan(400);
    expect(await job.tenant.jobs()).toEqual([]);
  });

  it.each(['reset', 'closed'])('J2 %s begins a job and loses the answer, once', async (form) => {
    const job = caller(dialect);
    expect((await job.submit({ id: 'J2', form })).status).toBe(0);
    const [begun] = await job.tenant.jobs();
    expect(begun).toMatchObject({ reference: 'task-1', submits: 1 });
    expect((await job.submit(null)).status).toBeLessThan(300);
  });

  it('J2 always loses every answer, and silence leaves the client waiting', async () => {
    const job = caller(dialect);
    const answers = [await job.submit({ id: 'J2', form: 'always' }), await job.submit(null)];
    expect(answers.map(({ status }) => status)).toEqual([0, 0]);
    const other = caller(dialect);
    void other.submit({ id: 'J2', form: 'silence' });
    expect((await other.tenant.journal({ waiting: 1 })).satisfied).toBe(true);
    expect(await other.tenant.jobs()).toHaveLength(1);
  });

  it.each(['absent', 'null', 'empty', 'no-body'])('J3 %s begins a job and omits its id', async (form) => {
    const job = caller(dialect);
    const { status, body } = await job.submit({ id: 'J3', form });
    const [begun] = await job.tenant.jobs();
    expect(status).toBeLessThan(300);
    expect(begun?.id).toMatch(/\w/);
    expect(body).not.toContain(begun?.id ?? 'a job');
  });

  it('J4 never leaves its stage', async () => {
    expect(await asked(dialect, 'J4', 'running', 3)).toEqual(Array(3).fill(running[dialect]));
    const job = caller(dialect);
    await job.submit({ id: 'J4', form: 'nearly-done' });
    const [, last] = await job.polls(2);
    expect((last as JobState).urls).toHaveLength(1);
    expect((await job.tenant.jobs())[0]?.status).toBe('running');
  });

  it('J5 reports foreign words for the running and the final status', async () => {
    expect(await asked(dialect, 'J5', 'succeeded', 2)).toEqual([running[dialect], 'succeeded']);
    expect((await asked(dialect, 'J5', 'throttled', 4)).slice(1)).toEqual([
      'THROTTLED',
      'THROTTLED',
      done[dialect],
    ]);
    expect((await asked(dialect, 'J5', 'expired-upper', 2)).at(-1)).toBe('EXPIRED');
    expect((await asked(dialect, 'J5', 'cancelled', 2)).at(-1)).toBe('cancelled');
  });

  it('J6 reports an earlier status once, then succeeds', async () => {
    const back = await asked(dialect, 'J6', 'running-queued', 5);
    expect([back[0] === back[1], back[0] === back[3], back[4]]).toEqual([false, true, done[dialect]]);
    const [, failed, ...waits] = await asked(dialect, 'J6', 'failed-queued', 5);
    expect(waits).toEqual(Array(3).fill(back[1]));
    expect(failed).not.toBe(back[1]);
    const undone = await asked(dialect, 'J6', 'done-running', 4);
    expect(undone).toEqual([running[dialect], done[dialect], running[dialect], done[dialect]]);
  });

  it.each(['null', 'empty', 'no-url'])('J7 %s succeeds without a URL', async (form) => {
    const job = caller(dialect);
    await job.submit({ id: 'J7', form });
    const last = (await job.polls(3)).at(-1) as JobState;
    expect(last.status).toBe(done[dialect]);
    expect((last.urls ?? []).filter((url) => typeof url === 'string')).toEqual([]);
  });

  it('J7 late reports the URL on a later poll', async () => {
    const job = caller(dialect);
    await job.submit({ id: 'J7', form: 'late' });
    expect((await job.read(await firstUrl(job, 3))).status).toBe(200);
  });

  it.each(['null', 'empty', 'absent'])('J8 %s fails without a reason', async (form) => {
    const job = caller(dialect);
    await job.submit({ id: 'J8', form });
    const last = (await job.polls(2)).at(-1) as JobState;
    expect(String(last.status)).toMatch(/fail/i);
    expect(last.error).toMatch(/^(?:null|\[null,null\]|\[\]|.*"".*)$/);
  });

  it('J11 fails with a message about the output', async () => {
    for (const form of ['code', 'text']) {
      const job = caller(dialect);
      await job.submit({ id: 'J11', form });
      expect(((await job.polls(2)).at(-1) as JobState).error).toContain('Request id: ');
    }
  });

  it.each([
    ['not-found', 404],
    ['server-error', 500],
    ['reset', 0],
    ['garbage', 200],
  ])('J12 %s fails some polls but not the job', async (form, code) => {
    const seen = await asked(dialect, 'J12', form, 6);
    const good = running[dialect];
    expect(seen).toEqual([good, code, code, good, code, done[dialect]]);
  });

  it('J12 rate-limit sends Retry-After, and silence leaves a poll open', async () => {
    const job = caller(dialect);
    await job.submit({ id: 'J12', form: 'rate-limit' });
    await job.polls(1);
    expect((await job.poll()).headers.get('retry-after')).toBe('20');
    const other = caller(dialect);
    await other.submit({ id: 'J12', form: 'silence' });
    await other.polls(1);
    void other.poll();
    expect((await other.tenant.journal({ waiting: 1 })).satisfied).toBe(true);
  });

  it('J13 answers 404 from the start, or after a while', async () => {
    expect(await asked(dialect, 'J13', 'at-once', 2)).toEqual([404, 404]);
    expect(await asked(dialect, 'J13', 'later', 4)).toEqual([running[dialect], running[dialect], 404, 404]);
  });

  it('J15 halves or doubles the duration', async () => {
    const asking = dialect === 'jobs' ? 10 : 30;
    for (const [form, factor] of [['shorter', 0.5] as const, ['longer', 2] as const]) {
      const job = caller(dialect);
      await job.submit({ id: 'J15', form }, { isOverAtOnce: true });
      expect((await job.poll()).body).toMatch(new RegExp(`"duration\\w*":${asking * factor}\\b`));
    }
  });

  it('J16 succeeds when its time has passed, or when it is moved to the end', async () => {
    const [soon, late] = [caller(dialect), caller(dialect)];
    await soon.submit({ id: 'J16', wait_ms: 0 });
    expect((await soon.polls(1))[0]).toMatchObject({ status: done[dialect] });
    await late.submit({ id: 'J16' });
    const [begun] = await late.tenant.jobs();
    expect((await late.polls(1))[0]).toMatchObject({ status: running[dialect] });
    await late.tenant.moveJob(begun?.id ?? '', { end: 'success' });
    expect((await late.polls(1))[0]).toMatchObject({ status: done[dialect] });
  });

  it('J17 reports two different ends', async () => {
    const [, first, second] = await asked(dialect, 'J17', 'done-canceled', 3);
    expect(first).toBe(done[dialect]);
    expect(String(second)).toMatch(/cancel|fail/i);
    const [, one, other] = await asked(dialect, 'J17', 'canceled-done', 3);
    expect([String(one).match(/cancel|fail/i) === null, other]).toEqual([false, done[dialect]]);
  });

  it('J18 rejects the submit, or fails later', async () => {
    const refused = caller(dialect);
    const { status, json } = await refused.submit({ id: 'J18', form: 'refused' });
    expect(dialect === 'jobs' ? status : (json as { code: number }).code).toBe(
      dialect === 'jobs' ? 400 : 404,
    );
    expect(await refused.tenant.jobs()).toEqual([]);
    expect(String((await asked(dialect, 'J18', 'later', 2)).at(-1))).toMatch(/fail/i);
  });

  it('marks the affected polls and files in the journal', async () => {
    const job = caller(dialect);
    await job.submit({ id: 'J13', form: 'at-once' });
    await job.poll();
    const { entries } = await job.tenant.journal();
    expect(entries.map(({ reply }) => reply.fault?.id)).toEqual(['J13', 'J13']);
  });
});

describe.each(jobDialects)('files in %s', (dialect) => {
  /** A job that ends at once, and the URL of its output. */
  async function made(form: string, id: string): Promise<{ job: JobCaller; url: unknown }> {
    const job = caller(dialect);
    await job.submit({ id, form }, { isOverAtOnce: true });
    return { job, url: await firstUrl(job, 1) };
  }

  it('J9 cannot be downloaded at all, or only on the second read', async () => {
    for (const [form, statuses] of [
      ['forbidden', [403, 403]],
      ['not-found', [404, 404]],
      ['first-read', [403, 200]],
      ['short-lived', [200, 200]],
    ] as const) {
      const { job, url } = await made(form, 'J9');
      const got = [await job.read(url), await job.read(url)];
      expect([form, ...got.map(({ status }) => status)]).toEqual([form, ...statuses]);
    }
  });

  it('J10 break off in the middle, once or always, or are HTML pages', async () => {
    for (const [form, statuses] of [
      ['short', [0, 0]],
      ['reset', [0, 0]],
      ['first-short', [0, 200]],
      ['html', [200, 200]],
    ] as const) {
      const { job, url } = await made(form, 'J10');
      const got = [await job.read(url), await job.read(url)];
      expect([form, ...got.map(({ status }) => status)]).toEqual([form, ...statuses]);
      if (form === 'html') expect(got[0]?.body).toContain('<html>');
    }
  });

  it('J10 first-stall hangs after half of the file', async () => {
    const { job, url } = await made('first-stall', 'J10');
    void job.read(url);
    expect((await job.tenant.journal({ waiting: 1 })).satisfied).toBe(true);
  });
});

describe('parts of a grid', () => {
  it('J14 appear before the whole grid, or instead of it', async () => {
    for (const [form, counts] of [
      ['first', [0, 3, 3, 4]],
      ['never-whole', [3, 3, 3, 3]],
    ] as const) {
      const job = caller('callback-jobs');
      await job.submitGrid({ id: 'J14', form });
      const states = (await job.polls(4)) as JobState[];
      expect(states.map(({ urls }) => urls?.length ?? 0)).toEqual(counts);
      expect(states.map(({ status }) => status).at(-1)).toBe('SUCCESS');
    }
  });

  it('J18 rejects a follow-up to a grid that is gone', async () => {
    const { json } = await caller('callback-jobs').submitChild({ id: 'J18', form: 'refused' });
    expect(json).toEqual({ code: 404, msg: 'parent record not found', data: null });
  });
});
