import { describe, expect, it } from 'vitest';
import { ask, type CallerView } from '../testing/caller-view.ts';
import { delta, events, type FakeUpstream, json, USAGE_FRAME } from '../testing/fake-upstream.ts';
import { generateEvent, response } from '../testing/generate-content-upstream.ts';
import {
  blockDelta,
  MESSAGE_START,
  messageEnd,
  messageEvent,
  toolBlock,
} from '../testing/messages-upstream.ts';
import {
  bodyReply,
  CHAT_WORDS,
  EVERY_CALL,
  GENERATE_WORDS,
  goodBody,
  MESSAGES_WORDS,
  type NativeWords,
} from '../testing/native-dialects.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { PATIENT_BREAKER, twoEndsEachTest } from '../testing/two-ends.ts';
import { parseEvents } from '../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
}, PATIENT_BREAKER);

/** Sends a generate-content response, plain or as the only event. */
function generated(stream: boolean, body: object): Promise<CallerView> {
  upstream.fallback = bodyReply(stream, stream ? generateEvent(body) : JSON.stringify(body));
  return ask(gateway, GENERATE_WORDS, stream);
}

/** Sends a message of these blocks, plain or as a stream that tells its counts in two places. */
function said(
  stream: boolean,
  usage: object,
  texts: readonly string[] = ['a'],
  reason = 'end_turn',
): Promise<CallerView> {
  const { output_tokens: _output, ...input } = { output_tokens: 0, ...usage };
  upstream.fallback = stream
    ? events([
        messageEvent('message_start', { message: { content: [], usage: { ...input, output_tokens: 1 } } }),
        ...texts.map((text) => blockDelta(0, { type: 'text_delta', text })),
        messageEvent('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 7 } }),
      ])
    : json(200, {
        ...MESSAGES_WORDS.plain('', { usage: { output_tokens: 7, ...usage }, stop_reason: reason }),
        content: texts.map((text) => ({ type: 'text', text })),
      });
  return ask(gateway, MESSAGES_WORDS, stream);
}

describe.for([[false], [true]])('streamed: %s', ([stream = false]) => {
  it('a prompt that is blocked is refused as such in every dialect (M1)', async () => {
    const refused = { seen: 'refused', code: 'content_filter' };
    for (const reason of ['SAFETY', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'OTHER', 'NOVELTY']) {
      const body = {
        promptFeedback: { blockReason: reason },
        usageMetadata: { promptTokenCount: 8, totalTokenCount: 8 },
      };
      expect(await generated(stream, body)).toMatchObject(refused);
    }
    expect(await said(stream, { input_tokens: 3 }, [], 'refusal')).toMatchObject(refused);
    upstream.fallback = json(400, { error: { code: 'content_policy_violation', message: 'CANARY' } });
    expect(await ask(gateway, CHAT_WORDS, stream)).toMatchObject(refused);
    expect(upstream.seen).toHaveLength(7);
  });

  it('an answer that is blocked in the middle is served as far as it goes (M2)', async () => {
    const served = { seen: 'served', text: 'a', finish: 'content_filter', usage: { prompt_tokens: 11 } };
    for (const reason of ['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII']) {
      expect(await generated(stream, response(['a'], reason))).toMatchObject(served);
      expect(await generated(stream, response([], reason))).toMatchObject({ code: 'content_filter' });
    }
    expect(await said(stream, { input_tokens: 11 }, ['a'], 'refusal')).toMatchObject(served);
    upstream.fallback = stream
      ? events([delta({ content: 'a' }), delta({}, 'content_filter'), USAGE_FRAME])
      : json(
          200,
          CHAT_WORDS.plain('a', {
            choices: [{ message: { content: 'a' }, finish_reason: 'content_filter' }],
          }),
        );
    expect(await ask(gateway, CHAT_WORDS, stream)).toMatchObject(served);
  });

  it('an answer of thoughts alone is empty, and its thoughts are paid for (M3, M9)', async () => {
    const usageMetadata = { promptTokenCount: 1706, thoughtsTokenCount: 2999, totalTokenCount: 4705 };
    for (const content of [{}, undefined, { parts: [] }, { parts: [{ text: '' }] }]) {
      const body = { candidates: [{ content, finishReason: 'MAX_TOKENS', index: 0 }], usageMetadata };
      expect(await generated(stream, body)).toMatchObject({
        seen: 'served',
        text: '',
        finish: 'length',
        usage: { prompt_tokens: 1706, completion_tokens: 2999, total_tokens: 4705 },
      });
    }
  });

  it.for(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'])(
    'an answer that ends in %s is asked for again, then an upstream error (M4)',
    async (reason) => {
      const body = {
        candidates: [{ content: {}, finishReason: reason }],
        usageMetadata: { promptTokenCount: 3 },
      };
      expect(await generated(stream, body)).toMatchObject({ seen: 'refused', code: 'upstream_error' });
      expect(upstream.seen).toHaveLength(2);
    },
  );

  it('what was written to a cache counts beside the rest of the prompt, by its life (M5, M6, M7)', async () => {
    const written = { input_tokens: 3, cache_creation_input_tokens: 12_304, cache_read_input_tokens: 0 };
    expect((await said(stream, written)).usage).toMatchObject({
      prompt_tokens: 12_307,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 12_304 },
    });
    const split = (total: number) => ({
      input_tokens: 3,
      cache_read_input_tokens: 50,
      cache_creation_input_tokens: total,
      cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 40 },
    });
    await said(stream, split(100));
    await said(stream, split(110));
    const counts = {
      prompt_tokens: 153n,
      cached_tokens: 50n,
      cache_write_5m_tokens: 60n,
      cache_write_1h_tokens: 40n,
    };
    // The total is the upstream's word, and what it does not explain is the cheaper kind.
    const doubtful = { prompt_tokens: 163n, cache_write_5m_tokens: 70n, cache_write_1h_tokens: 40n };
    expect(gateway.records).toMatchObject([{}, counts, doubtful]);
  });

  it('what was read from a cache, and what was thought, stands inside the counts or beside them (M8, M9)', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 30,
      total_tokens: 130,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 20 },
    };
    const chat = stream
      ? events([
          delta({ content: 'a' }),
          delta({}, 'stop'),
          `data: ${JSON.stringify({ choices: [], usage })}\n\n`,
        ])
      : json(200, CHAT_WORDS.plain('a', { usage }));
    upstream.fallback = chat;
    const ours = { prompt_tokens: 100, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 64 } };
    expect((await ask(gateway, CHAT_WORDS, stream)).usage).toMatchObject(ours);
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 64,
      candidatesTokenCount: 10,
      thoughtsTokenCount: 20,
      totalTokenCount: 130,
    };
    expect((await generated(stream, response(['a'], 'STOP', { usageMetadata }))).usage).toMatchObject(ours);
  });

  it('arguments that are no JSON are passed on as they are (M14)', async () => {
    const broken = '{"q": "half';
    const tools = { tools: [{ type: 'function', function: { name: 'f' } }] };
    const plainCall = {
      choices: [
        {
          message: { content: null, tool_calls: [{ id: 'c', function: { name: 'f', arguments: broken } }] },
          finish_reason: 'tool_calls',
        },
      ],
    };
    const answers: readonly (readonly [NativeWords, string])[] = [
      [
        CHAT_WORDS,
        stream
          ? [
              delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: broken } }] }),
              delta({}, 'tool_calls'),
            ].join('')
          : JSON.stringify(CHAT_WORDS.plain('', plainCall)),
      ],
      [
        MESSAGES_WORDS,
        stream
          ? [MESSAGE_START, ...toolBlock(0, 'c', 'f', [broken]), ...messageEnd('tool_use')].join('')
          : JSON.stringify(
              MESSAGES_WORDS.plain('', {
                content: [{ type: 'tool_use', id: 'c', name: 'f', input: broken }],
              }),
            ),
      ],
      [
        GENERATE_WORDS,
        stream
          ? generateEvent(response([{ functionCall: { name: 'f', args: broken } }], 'STOP'))
          : JSON.stringify(response([{ functionCall: { name: 'f', args: broken } }], 'STOP')),
      ],
    ];
    for (const [words, body] of answers) {
      upstream.fallback = bodyReply(stream, body);
      const { finish, answer } = await ask(gateway, words, stream, tools);
      expect([finish, argumentsIn(answer)]).toEqual(['tool_calls', broken]);
    }
  });
});

describe.for(EVERY_CALL)('%s', ([, stream, words]) => {
  it('a total that is not the sum is not believed (M10)', async () => {
    const body = goodBody(words, stream)
      .replaceAll(/"usage":\{/g, '"usage":{"total_tokens":999,')
      .replaceAll(/"totalTokenCount":\d+/g, '"totalTokenCount":999');
    upstream.fallback = bodyReply(stream, body);
    expect((await ask(gateway, words, stream)).usage).toMatchObject({
      prompt_tokens: 11,
      completion_tokens: 7,
      total_tokens: 18,
    });
  });

  it('another model in the answer is not told (M11)', async () => {
    const body = goodBody(words, stream).replaceAll('native-name', 'CANARY-2026-11-01');
    upstream.fallback = bodyReply(stream, body);
    const { seen, answer } = await ask(gateway, words, stream);
    expect(seen).toBe('served');
    const bodies = answer.json === null ? parseEvents(answer.text).chunks : [answer.json];
    for (const { model } of bodies) expect(model).toBe(words.model);
    expect(gateway.records).toMatchObject([{ model_served: words.model }]);
  });
});

/** The arguments of the first call of an answer, put together. */
function argumentsIn({ json: whole, text }: CallerView['answer']): string {
  if (whole !== null) return whole.choices[0].message.tool_calls[0].function.arguments;
  const deltas = parseEvents(text).chunks.flatMap((chunk) => chunk.choices[0].delta.tool_calls ?? []);
  return deltas.map((call) => call.function.arguments).join('');
}
