import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events, type FakeUpstream, json } from '../../testing/fake-upstream.ts';
import {
  generated,
  generatedStream,
  generateError,
  generateEvent,
  response,
} from '../../testing/generate-content-upstream.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';
import { parseEvents, streamedText } from '../../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((ends) => {
  ({ upstream, gateway } = ends);
});
beforeEach(() => {
  upstream.queue.length = 0;
  upstream.fallback = generated(['Hello']);
});
afterEach(() => {
  expect(upstream.queue).toHaveLength(0);
});

const messages = [{ role: 'user', content: 'hi' }];
const request = { model: 'gamma-3-flash', messages };
const stream = { ...request, stream: true };
const call = (name: string, args: object, more: object = {}) => ({ functionCall: { name, args }, ...more });

const USAGE = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 0 },
};

describe('a plain answer of generate-content', () => {
  it('comes from the method of the native model, asked with the key of the channel alone', async () => {
    const answer = await gateway.chat(request);
    expect(answer).toMatchObject({
      status: 200,
      json: {
        object: 'chat.completion',
        model: 'gamma-3-flash',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
        usage: USAGE,
      },
    });
    expect(upstream.seen).toHaveLength(1);
    expect(upstream.seen[0]).toMatchObject({
      path: '/v1beta/models/native-gamma-3-flash:generateContent',
      headers: { 'x-goog-api-key': 'upstream-secret' },
      body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    });
    expect(upstream.seen[0]?.headers.authorization).toBeUndefined();
    expect(gateway.records).toMatchObject([
      { channel_id: 'ch-gamma', prompt_tokens: 11n, completion_tokens: 7n, cached_tokens: 3n },
    ]);
  });

  it('shows no thoughts, but counts them', async () => {
    upstream.queue.push(generated([{ text: 'secret thought', thought: true }, 'said']));
    const answer = await gateway.chat(request);
    expect(answer.json.choices[0].message.content).toBe('said');
    expect(answer.json.usage.completion_tokens).toBe(7);
  });

  it('with calls names them, and takes them back with their signatures', async () => {
    upstream.queue.push(
      generated([call('f', { a: 'ä' }, { thoughtSignature: 'c2ln' }), call('g', {})]),
      generated(['done']),
    );
    const tools = ['f', 'g'].map((name) => ({ type: 'function', function: { name } }));
    const first = await gateway.chat({ ...request, tools });
    const { message, finish_reason: finish } = first.json.choices[0];
    expect(finish).toBe('tool_calls');
    expect(message.tool_calls).toMatchObject([
      {
        id: expect.stringMatching(/^call_/),
        type: 'function',
        function: { name: 'f', arguments: '{"a":"ä"}' },
        extra_content: { thought_signature: 'c2ln' },
      },
      { function: { name: 'g', arguments: '{}' } },
    ]);
    const ids: string[] = message.tool_calls.map((one: { id: string }) => one.id);
    expect(new Set(ids).size).toBe(2);
    const results = ids.toReversed().map((id) => ({ role: 'tool', tool_call_id: id, content: `for ${id}` }));
    expect(
      (await gateway.chat({ ...request, tools, messages: [...messages, message, ...results] })).status,
    ).toBe(200);
    expect(upstream.seen[1]?.body.contents.slice(1)).toEqual([
      {
        role: 'model',
        parts: [
          { functionCall: { id: ids[0], name: 'f', args: { a: 'ä' } }, thoughtSignature: 'c2ln' },
          { functionCall: { id: ids[1], name: 'g', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: ['f', 'g'].map((name, i) => ({
          functionResponse: { id: ids[i], name, response: { output: `for ${ids[i]}` } },
        })),
      },
    ]);
  });

  it('calls tools by the names that the caller gave them', async () => {
    upstream.queue.push(generated([call('_9-lives', {})]));
    const tools = [{ type: 'function', function: { name: '9-lives' } }];
    const answer = await gateway.chat({ ...request, tools });
    expect(upstream.seen[0]?.body.tools[0].functionDeclarations).toEqual([{ name: '_9-lives' }]);
    expect(answer.json.choices[0].message.tool_calls[0].function.name).toBe('9-lives');
  });

  it('without a part in a spent budget is empty, cut by its length, its thoughts paid', async () => {
    const usageMetadata = { promptTokenCount: 1706, thoughtsTokenCount: 2999, totalTokenCount: 4705 };
    upstream.queue.push(generated([], 'MAX_TOKENS', { usageMetadata }));
    const answer = await gateway.chat(request);
    expect(answer.json).toMatchObject({
      choices: [{ message: { content: '' }, finish_reason: 'length' }],
      usage: { prompt_tokens: 1706, completion_tokens: 2999, total_tokens: 4705 },
    });
  });

  it.for([
    ['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' } }, 400, 'content_filter', 1],
    ['a blocked answer', response([], 'SAFETY'), 400, 'content_filter', 1],
    ['a malformed call', response([], 'MALFORMED_FUNCTION_CALL'), 502, 'upstream_error', 2],
    ['no candidate', { usageMetadata: {} }, 502, 'upstream_error', 1],
    ['an error inside', generateError(503, 'UNAVAILABLE', 'x'), 429, 'channel_queue_full', 2],
  ] as const)('that is %s is no answer, also in a stream', async ([, body, status, code, attempts]) => {
    for (const question of [request, stream]) {
      upstream.seen.length = 0;
      upstream.fallback = question === stream ? events([generateEvent(body)]) : json(200, body);
      const answer = await gateway.chat(question);
      expect(answer).toMatchObject({ status, json: { error: { code, channel: 'ch-gamma' } } });
      expect(upstream.seen).toHaveLength(attempts);
    }
  });

  it('that was cut by a policy keeps its text', async () => {
    upstream.queue.push(generated(['so far'], 'RECITATION'));
    const answer = await gateway.chat(request);
    expect(answer.json.choices[0]).toMatchObject({
      message: { content: 'so far' },
      finish_reason: 'content_filter',
    });
  });
});

describe('errors of generate-content', () => {
  const quota = (id: string) => [
    { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId: id }] },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '38s' },
  ];
  const TEXT = 'You exceeded your current quota. Please retry in 38.922534355s.';

  it("of a minute's quota ask for its wait", async () => {
    upstream.fallback = json(429, [generateError(429, 'RESOURCE_EXHAUSTED', TEXT, quota('PerMinute'))]);
    const answer = await gateway.chat(request);
    expect(answer).toMatchObject({
      status: 429,
      headers: { 'retry-after': '39' },
      json: { error: { code: 'channel_queue_full' } },
    });
    expect(answer.text).not.toContain('quota');
  });

  it("of a day's quota are an outage, and not tried again", async () => {
    upstream.fallback = json(429, generateError(429, 'RESOURCE_EXHAUSTED', TEXT, quota('PerDay')));
    expect(await gateway.chat(request)).toMatchObject({
      status: 503,
      json: { error: { code: 'channel_outage' } },
    });
    expect(upstream.seen).toHaveLength(1);
  });

  it.for([
    ['generation_config.top_p', { top_p: 1 }, 400, 'invalid_param', 'top_p'],
    ['contents[0].parts[0].file_data', {}, 400, 'invalid_param', 'messages'],
    ['generation_config.seed', {}, 502, 'upstream_error', null],
  ] as const)(
    "about %s are the caller's when the caller gave it",
    async ([field, given, status, code, param]) => {
      const text = `* GenerateContentRequest.${field}: secret`;
      upstream.queue.push(json(400, generateError(400, 'INVALID_ARGUMENT', text)));
      const answer = await gateway.chat({ ...request, ...given });
      expect(answer).toMatchObject({ status, json: { error: { code, param } } });
      expect(answer.text).not.toContain('secret');
    },
  );

  it('about the length of the input are context_too_long', async () => {
    const text = 'The input token count (9) exceeds the maximum number of tokens allowed (8).';
    upstream.queue.push(json(400, generateError(400, 'INVALID_ARGUMENT', text)));
    expect((await gateway.chat(request)).json.error.code).toBe('context_too_long');
  });
});

describe('a stream of generate-content', () => {
  it('is asked for as events and becomes chunks', async () => {
    upstream.queue.push(generatedStream([response(['Hé']), response(['llo']), response([''], 'STOP')]));
    const answer = await gateway.chat(stream);
    const { chunks, done } = parseEvents(answer.text);
    expect(upstream.seen[0]?.path).toBe('/v1beta/models/native-gamma-3-flash:streamGenerateContent?alt=sse');
    expect(streamedText(answer.text)).toBe('Héllo');
    expect(chunks.at(-1)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }], usage: USAGE });
    expect(done).toBe(true);
  });

  it('with calls gives each an index, an id and whole arguments', async () => {
    upstream.queue.push(
      generatedStream([
        response(['well', call('f', { a: 1 }, { thoughtSignature: 'c2ln' })]),
        response([call('f', { a: 2 })], 'STOP'),
      ]),
    );
    const { chunks } = parseEvents((await gateway.chat(stream)).text);
    const parts = chunks.flatMap((chunk) => chunk.choices[0].delta.tool_calls ?? []);
    expect(parts).toMatchObject([
      {
        index: 0,
        id: expect.any(String),
        function: { name: 'f' },
        extra_content: { thought_signature: 'c2ln' },
      },
      { index: 0, function: { arguments: '{"a":1}' } },
      { index: 1, id: expect.any(String), function: { name: 'f' } },
      { index: 1, function: { arguments: '{"a":2}' } },
    ]);
    expect(chunks.at(-1).choices[0].finish_reason).toBe('tool_calls');
  });

  it.for([0, 2])('is read from a JSON array too, indented by %i', async (indent) => {
    const body = JSON.stringify([response(['Hé']), response(['llo'], 'STOP')], null, indent);
    upstream.queue.push(json(200, body));
    expect(streamedText((await gateway.chat(stream)).text)).toBe('Héllo');
  });

  it('ends with its reason, though the upstream keeps the connection', async () => {
    upstream.queue.push(generatedStream([response(['a'], 'STOP')], 'hang'));
    const answer = await gateway.chat(stream);
    expect(parseEvents(answer.text).done).toBe(true);
    expect(streamedText(answer.text)).toBe('a');
  });

  it.for([
    ['an error', [response(['a']), [generateError(503, 'UNAVAILABLE', 'secret')]], 'channel_queue_full'],
    ['no reason', [response(['a'])], 'upstream_error'],
    ['a malformed call', [response(['a']), response([], 'MALFORMED_FUNCTION_CALL')], 'upstream_error'],
  ] as const)('that breaks off with %s says so and still ends', async ([, bodies, code]) => {
    upstream.queue.push(events(bodies.map(generateEvent)));
    const answer = await gateway.chat(stream);
    const { chunks, done } = parseEvents(answer.text);
    expect(chunks.at(-1)).toMatchObject({ error: { code, channel: 'ch-gamma' } });
    expect(done).toBe(true);
    expect(answer.text).not.toMatch(/secret|finish_reason":"/);
    expect(gateway.records).toMatchObject([{ outcome: code, prompt_tokens: 11n }]);
  });
});
