import Anthropic, { APIError, AuthenticationError, BadRequestError, NotFoundError } from '@anthropic-ai/sdk';
import type { TenantControl } from 'gatecheck-simulators/client';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Stack } from './stack.ts';
import { lastAtUpstream } from './testing/at-upstream.ts';
import { errorOf } from './testing/error-of.ts';
import { stackEachFile } from './testing/stack-each-file.ts';

/** The official client of the messages protocol, unmodified, on compat path A. It gets only a URL and a key. */
let stack: Stack;
let upstream: TenantControl;
let client: Anthropic;

const clientWith = (apiKey: string): Anthropic =>
  new Anthropic({ baseURL: `${stack.baseUrl}/compat-a`, apiKey, maxRetries: 0 });

stackEachFile((ends) => {
  ({ stack, upstream } = ends);
  client = clientWith(stack.profile.keys.K1);
});

beforeEach(() => upstream.reset());

const model = 'beta-large-4-5';
const ask = (content: string): Anthropic.MessageParam[] => [{ role: 'user', content }];
const hello = { model, max_tokens: 1_000, messages: ask('Say hello.') };
const tools: Anthropic.Tool[] = ['look_up', 'spell'].map((name) => ({
  name,
  description: 'Does something with a word.',
  input_schema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
}));
const made = [
  { name: 'look_up', arguments: '{"word":"sea"}' },
  { name: 'spell', arguments: '{"word":"wave"}' },
];

/** All text of an answer. */
const textOf = ({ content }: Anthropic.Message): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');

describe('the official client of the messages protocol', () => {
  it('completes', async () => {
    await upstream.script({ replies: [{ text: 'Hello there. 🌊' }] });
    const answer = await client.messages.create({ ...hello, system: 'Be brief.' });
    expect(textOf(answer)).toBe('Hello there. 🌊');
    expect(answer).toMatchObject({ type: 'message', role: 'assistant', model, stop_reason: 'end_turn' });
    expect(answer.usage.output_tokens).toBeGreaterThan(0);
    expect(await lastAtUpstream(upstream)).toContain('Be brief.');
  });

  it('streams', async () => {
    await upstream.script({ replies: [{ deltas: ['One ', 'two ', 'three.'] }] });
    const stream = client.messages.stream(hello);
    const pieces: string[] = [];
    stream.on('text', (piece) => pieces.push(piece));
    const answer = await stream.finalMessage();
    expect(pieces).toEqual(['One ', 'two ', 'three.']);
    expect(textOf(answer)).toBe('One two three.');
    expect(answer.stop_reason).toBe('end_turn');
    expect(answer.usage.input_tokens).toBeGreaterThan(0);
    expect(answer.usage.output_tokens).toBeGreaterThan(0);
  });

  it.each([false, true])('calls two tools in parallel and answers them (streamed: %s)', async (streamed) => {
    await upstream.script({ replies: [{ tool_calls: made }, { text: 'The sea, w-a-v-e.' }] });
    const request = { ...hello, tools };
    const first = streamed
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    const uses = first.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
    expect(first.stop_reason).toBe('tool_use');
    expect(uses.map(({ name, input }) => [name, input])).toEqual(
      made.map((call) => [call.name, JSON.parse(call.arguments)]),
    );
    expect(new Set(uses.map(({ id }) => id)).size).toBe(2);
    const results = uses.map(
      ({ id, name }) =>
        ({
          type: 'tool_result',
          tool_use_id: id,
          content: `result of ${name}`,
        }) satisfies Anthropic.ToolResultBlockParam,
    );
    const second = await client.messages.create({
      ...request,
      messages: [
        ...hello.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: results },
      ],
    });
    expect(textOf(second)).toBe('The sea, w-a-v-e.');
    const seen = await lastAtUpstream(upstream);
    for (const { name } of made) expect(seen).toContain(`result of ${name}`);
  });

  it.each(['5m', '1h'] as const)('writes the prompt cache for %s and hits it', async (ttl) => {
    const text = `A long rule for ${ttl}. `.repeat(2_000);
    const system = [{ type: 'text', text, cache_control: { type: 'ephemeral', ttl } } as const];
    const first = await client.messages.create({ ...hello, system });
    const second = await client.messages.create({ ...hello, system });
    const written = first.usage.cache_creation_input_tokens ?? 0;
    expect(written).toBeGreaterThan(1_000);
    expect(first.usage.cache_creation?.[`ephemeral_${ttl}_input_tokens`]).toBe(written);
    expect(first.usage.cache_read_input_tokens).toBe(0);
    expect(second.usage.cache_read_input_tokens).toBe(written);
    expect(second.usage.cache_creation_input_tokens).toBe(0);
    expect(second.usage.input_tokens).toBe(first.usage.input_tokens);
  });
});

describe('it raises its own typed error', () => {
  /** The error of a call, with the code of the gateway's error object. */
  const raised = async (work: PromiseLike<unknown>): Promise<[unknown, unknown]> => {
    const error = await errorOf(work);
    const body = error instanceof APIError ? (error.error as { error?: { code?: unknown } }) : undefined;
    return [error, body?.error?.code];
  };

  it('for keys, models and fields that are wrong', async () => {
    const stranger = clientWith('sk-app-unknown');
    // One after the other, because a user may have only three calls at once.
    const cases: [() => PromiseLike<unknown>, unknown, string][] = [
      [() => stranger.messages.create(hello), AuthenticationError, 'invalid_api_key'],
      [() => client.messages.create({ ...hello, model: 'beta-none' }), NotFoundError, 'model_not_found'],
      [() => client.messages.create({ ...hello, model: 'delta-3' }), NotFoundError, 'model_not_found'],
      [() => client.messages.create({ ...hello, max_tokens: 0 }), BadRequestError, 'invalid_param'],
      [
        () => client.messages.create({ ...hello, max_tokens: 250_000, stream: true }),
        BadRequestError,
        'context_too_long',
      ],
    ];
    for (const [work, kind, code] of cases) {
      const [error, found] = await raised(work());
      expect(error).toBeInstanceOf(kind);
      expect(found).toBe(code);
    }
  });

  it('for a stream that breaks, after the text so far', async () => {
    await upstream.script({ replies: [{ deltas: ['one ', 'two '], cut: { after: 1, by: 'rst' } }] });
    const pieces: string[] = [];
    const stream = client.messages.stream(hello).on('text', (piece) => pieces.push(piece));
    expect(await errorOf(stream.finalMessage())).toBeInstanceOf(APIError);
    expect(pieces).toEqual(['one ']);
  });
});
