import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeUpstream, json } from '../../testing/fake-upstream.ts';
import {
  generated,
  generatedStream,
  generateError,
  response,
} from '../../testing/generate-content-upstream.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';
import { parseEvents } from '../../testing/wire.ts';

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

const testUsage = {
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
        usage: testUsage,
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
});

describe('errors of generate-content', () => {
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
});

describe('a stream of generate-content', () => {
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
});
