import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantControl } from '../../simulators/control/client.ts';
import type { Stack } from './stack.ts';
import { errorOf } from './testing/error-of.ts';
import { stackEachFile } from './testing/stack-each-file.ts';

/** A client that nobody here wrote, unmodified, through the gateway: what "the common schema" means in practice. */
let stack: Stack;
let upstream: TenantControl;
let client: OpenAI;

stackEachFile((ends) => {
  ({ stack, upstream } = ends);
  client = new OpenAI({ baseURL: `${stack.baseUrl}/api/v1`, apiKey: stack.profile.keys.K1, maxRetries: 0 });
});

beforeEach(() => upstream.reset());

const model = 'alpha-5-2';
const messages = [{ role: 'user' as const, content: 'Say hello.' }];

describe('the official client of the common chat schema', () => {
  it('completes', async () => {
    await upstream.script({ replies: [{ text: 'Hello there.' }] });
    const completion = await client.chat.completions.create({ model, messages });
    expect(completion.choices[0]?.message.content).toBe('Hello there.');
    expect(completion.model).toBe(model);
    expect(completion.usage?.total_tokens).toBeGreaterThan(0);
  });

  it('streams, and finds usage without asking for it', async () => {
    await upstream.script({ replies: [{ text: 'One two three.' }] });
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    let text = '';
    let total = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      total = chunk.usage?.total_tokens ?? total;
    }
    expect(text).toBe('One two three.');
    expect(total).toBeGreaterThan(0);
  });

  it('calls a tool, answers it, and gets the end of the story', async () => {
    await upstream.script({
      replies: [{ tool_calls: [{ name: 'look_up', arguments: '{"word":"sea"}' }] }, { text: 'Done.' }],
    });
    const tools = [
      {
        type: 'function' as const,
        function: {
          name: 'look_up',
          parameters: { type: 'object', properties: { word: { type: 'string' } } },
        },
      },
    ];
    const first = await client.chat.completions.create({ model, messages, tools });
    const call = first.choices[0]?.message.tool_calls?.[0];
    if (!first.choices[0] || call?.type !== 'function') throw new Error('no tool call arrived');
    expect(JSON.parse(call.function.arguments)).toEqual({ word: 'sea' });
    const followUp = [
      ...messages,
      first.choices[0].message,
      { role: 'tool' as const, tool_call_id: call.id, content: 'water' },
    ];
    const second = await client.chat.completions.create({ model, messages: followUp, tools });
    expect(second.choices[0]?.message.content).toBe('Done.');
  });

  it('lists the models', async () => {
    const ids = (await client.models.list()).data.map((entry) => entry.id);
    expect(ids).toContain(model);
  });

  it('raises its own typed error for each refusal, with the code to switch on', async () => {
    const stranger = new OpenAI({
      baseURL: `${stack.baseUrl}/api/v1`,
      apiKey: 'sk-app-unknown',
      maxRetries: 0,
    });
    const cases: [Promise<unknown>, unknown, string][] = [
      [client.chat.completions.create({ model, messages, temperature: 3 }), BadRequestError, 'invalid_param'],
      [
        client.chat.completions.create({ model: 'no-such-model', messages }),
        NotFoundError,
        'model_not_found',
      ],
      [stranger.chat.completions.create({ model, messages }), AuthenticationError, 'invalid_api_key'],
    ];
    for (const [work, kind, code] of cases) {
      const error = await errorOf(work);
      expect(error).toBeInstanceOf(kind);
      expect((error as APIError).code).toBe(code);
    }
  });

  it('raises its own typed error for failures of the upstream', async () => {
    await upstream.script({ replies: [{ status: 418, body: 'teapot' }] });
    const broken = await errorOf(client.chat.completions.create({ model, messages }));
    expect(broken).toBeInstanceOf(InternalServerError);
    expect((broken as APIError).code).toBe('upstream_error');
    await upstream.script({
      replies: [
        {
          status: 429,
          body: { error: { message: 'slow', type: 'requests', code: 'rate_limit_exceeded', param: null } },
        },
      ],
    });
    expect(await errorOf(client.chat.completions.create({ model, messages }))).toBeInstanceOf(RateLimitError);
  });

  it('sees how much of the prompt came from the cache', async () => {
    const usage = { prompt_tokens: 5_000, cached_tokens: 4_096, completion_tokens: 7 };
    await upstream.script({ replies: [{ text: 'Again.', usage }] });
    const completion = await client.chat.completions.create({ model, messages });
    expect(completion.usage).toMatchObject({
      prompt_tokens: 5_000,
      prompt_tokens_details: { cached_tokens: 4_096 },
    });
  });

  it('raises its own typed error for a prompt that is too long, and for one that policy blocks', async () => {
    for (const [id, code] of [
      ['H16', 'context_too_long'],
      ['M1', 'content_filter'],
    ] as const) {
      await upstream.script({ replies: [{ text: 'Hello.', fault: { id } }] });
      const error = await errorOf(client.chat.completions.create({ model, messages }));
      expect(error).toBeInstanceOf(BadRequestError);
      expect((error as APIError).code).toBe(code);
    }
  });

  it('raises its own typed error when as many of its calls are under way as the user may have', async () => {
    await upstream.script({ replies: [{ text: 'Late.', gates: ['head'] }] });
    const held = Array.from({ length: stack.profile.cap.value }, () =>
      client.chat.completions.create({ model, messages }),
    );
    const settled = Promise.allSettled(held);
    expect((await upstream.journal({ waiting: held.length })).satisfied).toBe(true);
    const error = await errorOf(client.chat.completions.create({ model, messages }));
    await upstream.release();
    expect(error).toBeInstanceOf(RateLimitError);
    expect((error as APIError).code).toBe('concurrency_exceeded');
    expect((await settled).map(({ status }) => status)).toEqual(held.map(() => 'fulfilled'));
  });

  it.for(['no_credits', 'no_quota'] as const)(
    'raises its own typed error when the account has nothing left, streamed or not: %s',
    async (name) => {
      const apiKey = stack.profile.keys[name] ?? '';
      const spent = new OpenAI({ baseURL: `${stack.baseUrl}/api/v1`, apiKey, maxRetries: 0 });
      for (const stream of [false, true]) {
        const error = await errorOf(spent.chat.completions.create({ model, messages, stream }));
        expect(error).toBeInstanceOf(RateLimitError);
        expect((error as APIError).code).toBe('quota_exceeded');
      }
      expect((await spent.models.list()).data).not.toEqual([]);
    },
  );

  it('raises its own typed error for a model whose upstreams are all down', async () => {
    const codex = { model: 'alpha-codex', messages };
    await upstream.script({ replies: [{ status: 500 }] });
    for (let call = 0; call < 5; call += 1) await errorOf(client.chat.completions.create(codex));
    const error = await errorOf(client.chat.completions.create(codex));
    expect(error).toBeInstanceOf(InternalServerError);
    expect((error as APIError).code).toBe('channel_outage');
  });

  it('does not take a stream that breaks for one that ended', async () => {
    await upstream.script({
      replies: [
        {
          text: 'one two three four',
          deltas: ['one ', 'two ', 'three ', 'four'],
          cut: { after: 2, by: 'rst' },
        },
      ],
    });
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    const reading = (async () => {
      for await (const _ of stream);
    })();
    expect(await errorOf(reading)).toBeInstanceOf(APIError);
  });
});
