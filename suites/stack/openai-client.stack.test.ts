import type { TenantControl } from 'gatecheck-simulators/client';
import OpenAI, {
  type APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
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
  it('raises its own typed error for each refusal, with the code to switch on', async () => {
    const stranger = new OpenAI({
      baseURL: `${stack.baseUrl}/api/v1`,
      apiKey: 'sk-app-unknown',
      maxRetries: 0,
    });
    const cases: [() => Promise<unknown>, unknown, string][] = [
      [
        () => client.chat.completions.create({ model, messages, temperature: 3 }),
        BadRequestError,
        'invalid_param',
      ],
      [
        () => client.chat.completions.create({ model: 'no-such-model', messages }),
        NotFoundError,
        'model_not_found',
      ],
      [() => stranger.chat.completions.create({ model, messages }), AuthenticationError, 'invalid_api_key'],
    ];
    for (const [work, kind, code] of cases) {
      const error = await errorOf(work());
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
});
