import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { postChat } from '../../testing/post-chat.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators();

const errorShape = (type: string, param: string | null, code: string | null): object => ({
  error: { message: expect.stringMatching(/\.$/), type, param, code },
});

describe('a plain answer', () => {
  it('has the native shape and headers', async () => {
    const { name } = simulators.tenant();
    const answer = await postChat(simulators.base(name), {});
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^chatcmpl-\w{29}$/),
      object: 'chat.completion',
      created: expect.toSatisfy(Number.isInteger),
      model: 'a52-2026-08-07',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: expect.any(String), refusal: null, annotations: [] },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: expect.objectContaining({
        prompt_tokens: 8,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      }),
      service_tier: 'default',
      system_fingerprint: expect.stringMatching(/^fp_[0-9a-f]{10}$/),
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
      'x-ratelimit-limit-requests': '10000',
      'openai-processing-ms': expect.stringMatching(/^\d+$/),
    });
  });

  it('has scripted headers instead of its own', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ text: 'a', headers: { 'X-Request-Id': 'mine', 'x-new': '1' } }] });
    const { headers } = await postChat(simulators.base(tenant.name), {});
    expect(headers).toMatchObject({ 'x-request-id': 'mine', 'x-new': '1' });
  });
});

describe('a stream', () => {
  it('adds up to the plain answer', async () => {
    const { name } = simulators.tenant();
    const plain = (await postChat(simulators.base(name), {})).json<{
      choices: [{ message: { content: string } }];
    }>();
    const events = (await postChat(simulators.base(name), { stream: true })).events();
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event));
    expect(chunks.map((chunk) => chunk.choices[0].delta.content ?? '').join('')).toBe(
      plain.choices[0].message.content,
    );
    expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant', content: '', refusal: null });
    expect(chunks.at(-1).choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
    expect(events.at(-1)).toBe('[DONE]');
  });

  it('reports usage only on request, in a last chunk without choices', async () => {
    const { name } = simulators.tenant();
    const without = await postChat(simulators.base(name), { stream: true });
    expect(without.text).not.toContain('usage');
    const asked = await postChat(simulators.base(name), {
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = asked
      .events()
      .slice(0, -1)
      .map((event) => JSON.parse(event));
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 8 } });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null && chunk.choices.length === 1)).toBe(
      true,
    );
  });

  it('sends calls as an opening and fragments of arguments by index', async () => {
    const tenant = simulators.tenant();
    const tool_calls = [
      { id: 'c0', name: 'f', arguments: '{"a":1}' },
      { id: 'c1', name: 'g', arguments: '{}' },
    ];
    await tenant.script({ replies: [{ text: 'Hm.', tool_calls, argument_deltas: 2 }] });
    const events = (await postChat(simulators.base(tenant.name), { stream: true })).events().slice(0, -1);
    const calls = events.flatMap((event) => JSON.parse(event).choices[0].delta.tool_calls ?? []);
    expect(calls).toEqual([
      { index: 0, id: 'c0', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 0, function: { arguments: '{"a"' } },
      { index: 0, function: { arguments: ':1}' } },
      { index: 1, id: 'c1', type: 'function', function: { name: 'g', arguments: '' } },
      { index: 1, function: { arguments: '{' } },
      { index: 1, function: { arguments: '}' } },
    ]);
    expect(JSON.parse(events.at(-1) ?? '').choices[0].finish_reason).toBe('tool_calls');
  });
});

describe('an error', () => {
  it('answers a request without a key before reading the body', async () => {
    const answer = await postChat(simulators.base(simulators.tenant().name), 'not json', '');
    expect(answer.status).toBe(401);
    expect(answer.json()).toEqual(errorShape('invalid_request_error', null, null));
  });

  it('answers prompt and completion that exceed the window by one token', async () => {
    const base = simulators.base(simulators.tenant().name);
    const ask = (max_tokens: number): ReturnType<typeof postChat> =>
      postChat(base, { model: 'small-1', max_tokens });
    expect((await ask(7992)).status).toBe(200);
    const over = await ask(7993);
    expect(over.status).toBe(400);
    expect(over.json()).toEqual(errorShape('invalid_request_error', 'messages', 'context_length_exceeded'));
  });

  it('answers an unknown path and a wrong method', async () => {
    const base = simulators.base(simulators.tenant().name);
    const unknown = await request(`${base}/completions`, { method: 'POST', body: '{}' });
    expect([unknown.statusCode, await unknown.body.json()]).toEqual([
      404,
      errorShape('invalid_request_error', null, 'unknown_url'),
    ]);
    const method = await request(`${base}/chat/completions`);
    expect([method.statusCode, method.headers.allow]).toEqual([405, 'POST']);
    await method.body.dump();
  });

  it('answers an invalid request even if a completion is scripted', async () => {
    const tenant = simulators.tenant();
    const id = await tenant.script({ replies: [{ text: 'fine' }] });
    expect((await postChat(simulators.base(tenant.name), { temperature: 3 })).status).toBe(400);
    expect((await tenant.journal({ ended: 1 })).entries[0]?.reply).toMatchObject({ script: id, status: 400 });
  });
});

describe('a raw reply', () => {
  it('sends a text as it is and anything else as JSON', async () => {
    const tenant = simulators.tenant();
    await tenant.script({
      replies: [
        { status: 502, body: '<html>\u00e9', headers: { 'Content-Type': 'text/html' } },
        { status: 529, body: { type: 'error' } },
        { status: 200, body: '' },
        { body: null },
      ],
    });
    const answers = [];
    for (let n = 0; n < 4; n += 1) answers.push(await postChat(simulators.base(tenant.name), 'anything', ''));
    expect(answers.map(({ status, text, headers }) => [status, text, headers['content-type']])).toEqual([
      [502, '<html>\u00e9', 'text/html'],
      [529, '{"type":"error"}', 'application/json'],
      [200, '', 'text/plain; charset=utf-8'],
      [200, 'null', 'application/json'],
    ]);
  });

  it('is the native error of its status when it has no body', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ status: 429 }, { status: 500 }, { status: 418 }] });
    const base = simulators.base(tenant.name);
    const limited = await postChat(base, {});
    expect(limited.json()).toEqual(errorShape('requests', null, 'rate_limit_exceeded'));
    expect(limited.headers).toMatchObject({ 'retry-after': '20', 'x-ratelimit-remaining-requests': '0' });
    expect((await postChat(base, {})).json()).toEqual(errorShape('server_error', null, null));
    expect((await postChat(base, {})).json()).toEqual(errorShape('invalid_request_error', null, null));
  });
});
