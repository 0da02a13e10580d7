import { describe, expect, it } from 'vitest';
import { free } from '../../billing/price.ts';
import { completion, type FakeUpstream, noUsage, ourUsage } from '../../testing/fake-upstream.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachTest } from '../../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

const request = { model: 'delta-3', messages: [{ role: 'user', content: 'hi' }] };

describe('a plain answer', () => {
  it('is a completion of our own with the usage of the upstream', async () => {
    const before = Math.floor(gateway.clock.now() / 1000);
    const { status, headers, json } = await gateway.chat(request);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': expect.stringMatching(/^req_/),
    });
    expect(json).toEqual({
      id: expect.stringMatching(/^chatcmpl-[\w-]{20,}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'delta-3',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: ourUsage,
    });
    expect(Math.abs(json.created - before)).toBeLessThan(3);
  });

  it.for([
    ['call_1', 'call_1'],
    ['functions.f:0', 'functions.f:0'],
    [' ü/😀 '.repeat(100), ' ü/😀 '.repeat(100)],
    ['', expect.stringMatching(/^call_/)],
    [5, expect.stringMatching(/^call_/)],
    [null, expect.stringMatching(/^call_/)],
    [undefined, expect.stringMatching(/^call_/)],
  ])('names a call %j as the upstream does, or anew when that names none', async ([id, ours]) => {
    const calls = [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }];
    upstream.fallback = completion(null, { message: { tool_calls: calls } });
    expect((await gateway.chat(request)).json.choices[0].message.tool_calls[0].id).toEqual(ours);
  });

  it('says zero and flags the record when the upstream reports no usage', async () => {
    upstream.fallback = completion('x', { usage: undefined });
    expect((await gateway.chat(request)).json.usage).toEqual(noUsage);
    expect(gateway.records[0]).toMatchObject({ usage_known: false, outcome: 'success' });
  });
});

describe('the usage record', () => {
  it('says who asked for what and what it took', async () => {
    await gateway.chat({ ...request, user: 'label', metadata: { team: 'blue' } });
    expect(gateway.records).toEqual([
      {
        request_id: expect.stringMatching(/^req_/),
        account_id: 'acc',
        user_id: 'usr',
        app_id: 'app',
        key_id: 'key-1',
        model_requested: 'delta-3',
        model_served: 'delta-3',
        channel_id: 'ch-1',
        outcome: 'success',
        stream: false,
        attempts: 1,
        prompt_tokens: 11n,
        completion_tokens: 7n,
        cached_tokens: 3n,
        cache_write_5m_tokens: 0n,
        cache_write_1h_tokens: 0n,
        usage_known: true,
        units: null,
        unit: null,
        task_id: null,
        end_user: 'label',
        metadata: { team: 'blue' },
        charge_pico: 0n,
        price: { ...free, markupBp: 0 },
        parents: [],
        started_at_ms: expect.any(Number),
        ended_at_ms: expect.any(Number),
      },
    ]);
  });

  it('is durable before the answer leaves', async () => {
    let durable = (): void => {};
    let answered = false;
    const written = new Promise<void>((resolve) => {
      gateway.onWrite = () => {
        resolve();
        return new Promise((done) => {
          durable = done;
        });
      };
    });
    const answer = gateway.chat(request).finally(() => {
      answered = true;
    });
    await written;
    await gateway.clock.sleep(30);
    expect(answered).toBe(false);
    durable();
    expect((await answer).status).toBe(200);
  });

  it('that cannot be kept makes the answer an internal error that names the request', async () => {
    gateway.onWrite = () => Promise.reject(new Error('disk full at /secret/place'));
    const answer = await gateway.chat(request);
    expect(answer).toMatchObject({
      status: 500,
      json: { error: { type: 'api_error', code: 'internal_error', channel: null } },
    });
    expect(answer.json.error.message).toContain(answer.headers['x-request-id']);
    expect(answer.text).not.toContain('secret');
    expect(gateway.logLines.at(-1)).toMatchObject({
      level: 50,
      code: 'internal_error',
      err: { message: expect.stringContaining('disk full') },
    });
  });

  it.for([
    ['is missing', undefined, 'missing'],
    ['contradicts itself', { prompt_tokens: 11, completion_tokens: 7, total_tokens: 90 }, 'total'],
  ] as const)('that %s leaves a line in the log', async ([, usage, doubt]) => {
    upstream.fallback = completion('Hello', { usage });
    const { headers } = await gateway.chat(request);
    const request_id = headers['x-request-id'];
    expect(gateway.logLines.filter(({ msg }) => msg === 'usage')).toMatchObject([
      { level: 40, request_id, channel: 'ch-1', model: 'delta-3', doubts: [doubt] },
    ]);
    expect(gateway.records).toMatchObject([{ price: { doubts: [doubt] } }]);
  });

  it('is not written for requests that were never sent on', async () => {
    await gateway.chat({ ...request, temperature: 9 });
    expect(gateway.records).toEqual([]);
  });
});
