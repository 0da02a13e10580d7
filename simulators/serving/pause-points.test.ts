import { describe, expect, it } from 'vitest';
import { openChat, postChat, readAll, streamEvents } from '../testing/post-chat.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

const contentOf = (event: string): string => JSON.parse(event).choices[0].delta.content;

describe('gates', () => {
  it('deliver delta k while gate k+1 holds', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ deltas: ['a', 'b', 'c'], gates: [0, 1, 2, 'end'] }] });
    const response = await openChat(simulators.base(tenant.name), { stream: true });
    const events = streamEvents(response);
    expect(contentOf((await events.next()).value ?? '')).toBe('');
    for (const [k, text] of ['a', 'b', 'c'].entries()) {
      const { entries } = await tenant.journal({ waiting: 1 });
      expect(entries[0]?.reply.waiting_at).toBe(String(k));
      expect(await tenant.release()).toBe(1);
      expect(contentOf((await events.next()).value ?? '')).toBe(text);
    }
    const { entries } = await tenant.journal({ waiting: 1 });
    expect(entries[0]?.reply.sends.map(({ label }) => label)).toEqual([
      'head',
      'role',
      'delta-0',
      'delta-1',
      'delta-2',
    ]);
    await tenant.release();
    const rest = await readAll(events);
    expect(rest.at(-1)).toBe('[DONE]');
    expect((await tenant.journal({ ended: 1 })).entries[0]?.reply.ended).toBe('complete');
  });

  it('hold even when they were released before the request came', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ text: 'a', gates: ['head'] }] });
    expect(await tenant.release()).toBe(0);
    const answer = postChat(simulators.base(tenant.name), {});
    expect((await tenant.journal({ waiting: 1 })).entries[0]?.reply.status).toBeNull();
    expect(await tenant.release()).toBe(1);
    expect((await answer).status).toBe(200);
  });

  it('open only for the given request', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ text: 'a', gates: ['head'] }] });
    const answers = [1, 2].map(() => postChat(simulators.base(tenant.name), {}));
    await tenant.journal({ waiting: 2 });
    expect(await tenant.release(2)).toBe(1);
    const { entries } = await tenant.journal({ ended: 1 });
    expect(entries.map(({ reply }) => reply.ended)).toEqual(['open', 'complete']);
    expect(await tenant.release()).toBe(1);
    await Promise.all(answers);
  });

  it('let another reply leave before the head, and no other answer once it has begun', async () => {
    const tenant = simulators.tenant();
    await tenant.script({
      replies: [
        { text: 'a', gates: ['head'] },
        { deltas: ['a', 'b'], gates: [1] },
      ],
    });
    const answer = postChat(simulators.base(tenant.name), {});
    await tenant.journal({ waiting: 1 });
    expect(await tenant.release(1, { reply: { status: 503, headers: { 'x-by': 'hand' } } })).toBe(1);
    expect([(await answer).status, (await answer).headers['x-by']]).toEqual([503, 'hand']);
    const begun = postChat(simulators.base(tenant.name), { stream: true });
    await tenant.journal({ waiting: 1 });
    expect(await tenant.release(2, { reply: { text: 'b' } })).toBe(0);
    expect(await tenant.release(2)).toBe(1);
    expect((await begun).status).toBe(200);
  });

  it('open once: a second release finds no waiting request', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ text: 'a', gates: ['head'], hang: 0 }] });
    const response = openChat(simulators.base(tenant.name), {});
    await tenant.journal({ waiting: 1 });
    expect(await tenant.release()).toBe(1);
    expect((await response).statusCode).toBe(200);
    expect((await tenant.journal({ waiting: 1 })).entries[0]?.reply.waiting_at).toBe('hang');
    expect(await tenant.release()).toBe(0);
  });

  it('split the body of a plain answer: the end gate holds its second half', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ body: '0123456789', gates: [0, 'end'] }] });
    const response = await openChat(simulators.base(tenant.name), {});
    const chunks = response[Symbol.asyncIterator]();
    await tenant.journal({ waiting: 1 });
    await tenant.release();
    expect(String((await chunks.next()).value)).toBe('01234');
    await tenant.journal({ waiting: 1 });
    await tenant.release();
    expect(String((await chunks.next()).value)).toBe('56789');
  });
});

describe('pacing', () => {
  it('begins when the gate before the head opens', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ deltas: ['a'], gates: ['head'], pacing: { first_ms: 30_000 } }] });
    const opened = openChat(simulators.base(tenant.name), { stream: true });
    await tenant.journal({ waiting: 1 });
    await simulators.control.advance(60_000);
    await tenant.release();
    const events = streamEvents(await opened);
    await events.next();
    const { now_ms, next_due_ms } = await simulators.control.clock();
    expect((next_due_ms ?? 0) - now_ms).toBeGreaterThan(25_000);
    await simulators.control.advance(30_000);
    expect(contentOf((await events.next()).value ?? '')).toBe('a');
  });

  it('delays a plain answer, and reports when it is due', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ text: 'late', pacing: { first_ms: 25_000 } }] });
    const answer = postChat(simulators.base(tenant.name), {});
    await tenant.journal({ requests: 1 });
    const { now_ms, next_due_ms } = await simulators.control.advance(10_000);
    expect((next_due_ms ?? 0) - now_ms).toBeGreaterThan(14_000);
    expect((await tenant.journal()).entries[0]?.reply.status).toBeNull();
    expect((await simulators.control.advance(15_000)).next_due_ms).toBeNull();
    expect((await answer).status).toBe(200);
  });
});

describe('a hang', () => {
  it.each([
    ['never sends a head', 'head', {}, []],
    ['stops a stream before the delta', 1, { stream: true }, ['head', 'role', 'delta-0']],
    [
      'stops a stream that has no such delta before its end',
      9,
      { stream: true },
      ['head', 'role', 'delta-0', 'delta-1'],
    ],
    ['stops a plain answer after its head', 0, {}, ['head']],
  ] as const)("%s, and the journal records the client's disconnect", async (_what, hang, body, labels) => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ deltas: ['a', 'b'], hang }] });
    const opened = openChat(simulators.base(tenant.name), body);
    opened.catch(() => {});
    const { entries } = await tenant.journal({ waiting: 1 });
    expect(entries[0]?.reply).toMatchObject({ waiting_at: 'hang', ended: 'open' });
    expect(entries[0]?.reply.sends.map(({ label }) => label)).toEqual(labels);
    expect(await tenant.release()).toBe(0);
    if (hang === 'head') await tenant.reset();
    else (await opened).destroy();
    const after = await tenant.journal({ ended: hang === 'head' ? 0 : 1 });
    expect(after.entries.map(({ reply }) => reply.ended)).toEqual(hang === 'head' ? [] : ['client-gone']);
    await opened.catch((error: unknown) => expect(error).toMatchObject({ code: 'ECONNRESET' }));
  });
});

describe('a cut', () => {
  it('leaves a plain answer shorter than its content length', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ body: '0123456789', cut: { after: 1, by: 'fin' } }] });
    const response = await openChat(simulators.base(tenant.name), {});
    expect(response.headers['content-length']).toBe('10');
    const chunks = response[Symbol.asyncIterator]();
    expect(String((await chunks.next()).value)).toBe('01234');
    await expect(chunks.next()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
