import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { messagesHeaders, postCount, postMessages } from '../../testing/post-messages.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

const base = (): string => simulators.base(simulators.tenant().name, 'beta');

/** Without a version in the request, the current one answers. */
const currentDetails = { details: null };

const errorShape = (type: string, more: object = {}): object => ({
  type: 'error',
  error: { type, message: expect.any(String), ...more },
  request_id: expect.stringMatching(/^req_01\w{22}$/),
});

describe('a plain answer', () => {
  it('has the native shape and headers', async () => {
    const answer = await postMessages(base(), {});
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^msg_01\w{22}$/),
      type: 'message',
      role: 'assistant',
      model: 'bl-4-5-20260801',
      content: [{ type: 'text', text: expect.any(String) }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: expect.objectContaining({ input_tokens: 8, cache_read_input_tokens: 0 }),
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'request-id': expect.stringMatching(/^req_01\w{22}$/),
      'anthropic-organization-id': expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      'anthropic-ratelimit-input-tokens-limit': '2000000',
      'anthropic-ratelimit-requests-reset': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
  });
});

describe('an error', () => {
  it('answers a request without a key before reading the body', async () => {
    const answer = await postMessages(base(), 'no JSON', { 'anthropic-version': '2023-06-01' });
    expect([answer.status, answer.json()]).toEqual([401, errorShape('authentication_error')]);
    expect(answer.json<{ request_id: string }>().request_id).toBe(answer.headers['request-id']);
  });

  it('answers a missing or unknown version', async () => {
    const { 'x-api-key': key } = messagesHeaders;
    for (const version of [{}, { 'anthropic-version': '2030-01-01' }]) {
      const answer = await postMessages(base(), {}, { 'x-api-key': key, ...version });
      expect([answer.status, answer.json()]).toEqual([
        400,
        errorShape('invalid_request_error', currentDetails),
      ]);
      expect(answer.text).toContain('anthropic-version: ');
    }
  });

  it("answers a max_tokens above the model's maximum", async () => {
    const at = base();
    expect((await postMessages(at, { max_tokens: 200_000 })).status).toBe(200);
    const over = await postMessages(at, { max_tokens: 200_001 });
    expect([over.status, over.json()]).toEqual([400, errorShape('invalid_request_error')]);
    expect(over.text).toContain('max_tokens: 200001 > 200000');
  });

  it('answers a prompt that alone exceeds the window', async () => {
    const at = base();
    const ask = (words: number): ReturnType<typeof postMessages> =>
      postMessages(at, { messages: [{ role: 'user', content: 'a'.repeat(8 * words) }] });
    expect((await ask(199_996)).json()).toMatchObject({
      stop_reason: 'model_context_window_exceeded',
      content: [],
    });
    const over = await ask(199_997);
    expect([over.status, over.json()]).toEqual([400, errorShape('invalid_request_error')]);
    expect(over.text).toContain('prompt is too long: 200001 tokens > 200000 maximum');
  });

  it('answers an unknown path, a wrong method and a body over the size limit', async () => {
    const at = base();
    const unknown = await request(`${at}/messages/batches`, { method: 'POST', body: '{}' });
    expect([unknown.statusCode, await unknown.body.json()]).toEqual([
      404,
      errorShape('not_found_error', currentDetails),
    ]);
    const method = await request(`${at}/messages`);
    expect([method.statusCode, method.headers.allow]).toEqual([405, 'POST']);
    await method.body.dump();
    const large = await postMessages(at, ' '.repeat(32 * 1024 * 1024 + 1));
    expect([large.status, large.json()]).toEqual([413, errorShape('request_too_large')]);
  });
});

describe('a scripted reply', () => {
  it('is the native error of its status when it has no body', async () => {
    const tenant = simulators.tenant();
    const statuses = [529, 429, 500, 402, 403, 413, 504, 418, 502];
    await tenant.script({ replies: statuses.map((status) => ({ status })) });
    const answers = [];
    for (const _status of statuses)
      answers.push(await postMessages(simulators.base(tenant.name, 'beta'), 'x', {}));
    expect(
      answers.map((answer) => [answer.status, answer.json<{ error: { type: string } }>().error.type]),
    ).toEqual([
      [529, 'overloaded_error'],
      [429, 'rate_limit_error'],
      [500, 'api_error'],
      [402, 'billing_error'],
      [403, 'permission_error'],
      [413, 'request_too_large'],
      [504, 'timeout_error'],
      [418, 'invalid_request_error'],
      [502, 'api_error'],
    ]);
    expect(answers[1]?.headers).toMatchObject({
      'retry-after': '20',
      'anthropic-ratelimit-requests-remaining': '0',
    });
  });
});

describe('a count', () => {
  it('equals the usage of the answer, and uses no scripted reply', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ text: 'once' }, { text: 'twice' }] });
    const at = simulators.base(tenant.name, 'beta');
    const body = {
      system: 'Be brief.',
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi.', cache_control: { type: 'ephemeral' } }] },
      ],
    };
    const counted = (await postCount(at, body)).json();
    const { usage, content } = (await postMessages(at, body)).json<{
      usage: { input_tokens: number };
      content: unknown;
    }>();
    expect(counted).toEqual({ input_tokens: usage.input_tokens });
    expect(content).toEqual([{ type: 'text', text: 'once' }]);
    const { entries } = await tenant.journal({ ended: 2 });
    expect(
      entries.map(({ request: { path }, reply }) => [path.replace(/^.*\/v1/, ''), reply.script]),
    ).toEqual([
      ['/messages/count_tokens', null],
      ['/messages', 'script-1'],
    ]);
  });

  it('ignores the window, but rejects an unknown model, an invalid body and a missing key', async () => {
    const at = base();
    const long = [{ role: 'user', content: 'a'.repeat(8 * 300_000) }];
    expect((await postCount(at, { messages: long })).json()).toEqual({ input_tokens: 300_004 });
    expect((await postCount(at, { model: 'none' })).status).toBe(404);
    expect((await postCount(at, { stream: true })).text).toContain('stream: Extra inputs');
    const url = `${at}/messages/count_tokens`;
    const keyless = await request(url, { method: 'POST', body: '{}' });
    expect([keyless.statusCode, await keyless.body.json()]).toEqual([
      401,
      errorShape('authentication_error', currentDetails),
    ]);
  });
});

describe('the prompt cache', () => {
  const system = (words: number, ttl?: string): object => ({
    system: [
      {
        type: 'text',
        text: 'a'.repeat(8 * words),
        cache_control: { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) },
      },
    ],
  });
  /** Tokens read, written for 5 minutes, and written for an hour. */
  const use = async (
    tenant: string,
    body: object,
    { channel = 'beta', key = 'k' } = {},
  ): Promise<number[]> => {
    const answer = await postMessages(
      simulators.base(tenant, channel),
      { ...body },
      { ...messagesHeaders, 'x-api-key': key },
    );
    const { usage } = answer.json<{ usage: Record<string, unknown> }>();
    const { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long } =
      usage.cache_creation as Record<string, number>;
    expect(usage).toMatchObject({ input_tokens: 8, cache_creation_input_tokens: (short ?? 0) + (long ?? 0) });
    return [Number(usage.cache_read_input_tokens), short ?? 0, long ?? 0];
  };

  it('is read by the second call, and expires on the clock', async () => {
    const { name } = simulators.tenant();
    for (const [ttl, lifeMs, written] of [
      [undefined, 5 * 60_000, [0, 1024, 0]],
      ['1h', 60 * 60_000, [0, 0, 1100]],
    ] as const) {
      const body = system(ttl === undefined ? 1024 : 1100, ttl);
      expect(await use(name, body)).toEqual(written);
      await simulators.control.advance(lifeMs - 60_000);
      expect(await use(name, body)).toEqual([Math.max(...written), 0, 0]);
      await simulators.control.advance(lifeMs - 60_000);
      expect(await use(name, body)).toEqual([Math.max(...written), 0, 0]);
      await simulators.control.advance(lifeMs);
      expect(await use(name, body)).toEqual(written);
    }
  });

  it('is separate for each tenant, channel, key and model, and cleared by a reset', async () => {
    const tenant = simulators.tenant();
    const body = system(2048);
    const [written, read] = [
      [0, 2048, 0],
      [2048, 0, 0],
    ];
    expect(await use(tenant.name, body)).toEqual(written);
    expect(await use(tenant.name, body)).toEqual(read);
    expect(await use(simulators.tenant().name, body)).toEqual(written);
    expect(await use(tenant.name, body, { channel: 'other' })).toEqual(written);
    expect(await use(tenant.name, body, { key: 'other' })).toEqual(written);
    expect(await use(tenant.name, { ...body, model: 'bs-4-5-20260801' })).toEqual(written);
    expect(await use(tenant.name, body)).toEqual(read);
    await tenant.reset();
    expect(await use(tenant.name, body)).toEqual(written);
  });

  it('is used by a stream, too, but by no rejected request', async () => {
    const { name } = simulators.tenant();
    const at = simulators.base(name, 'beta');
    await postMessages(at, { ...system(1024), max_tokens: 200_001 });
    const first = await postMessages(at, { ...system(1024), stream: true });
    expect(first.text).toContain('"cache_creation_input_tokens":1024,"cache_read_input_tokens":0');
    const second = await postMessages(at, { ...system(1024), stream: true });
    expect(second.text).toContain('"cache_creation_input_tokens":0,"cache_read_input_tokens":1024');
  });
});
