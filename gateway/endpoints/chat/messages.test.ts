import { describe, expect, it } from 'vitest';
import type { FakeUpstream } from '../../testing/fake-upstream.ts';
import {
  MESSAGE_START,
  message,
  messageEnd,
  messageEvent,
  messageStream,
  OUR_MESSAGE_USAGE,
  textBlock,
  toolBlock,
} from '../../testing/messages-upstream.ts';
import { PNG, result, tool, user } from '../../testing/request-parts.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { readStream, type TwoEnds, twoEndsEachTest } from '../../testing/two-ends.ts';
import { streamedText } from '../../testing/wire.ts';

let ends: TwoEnds;
let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((started) => {
  ends = started;
  ({ upstream, gateway } = started);
});

const request = { model: 'beta-large-4-5', messages: [user] };
const streamed = { ...request, stream: true };

describe('a plain answer over the messages dialect', () => {
  it('is asked for with the credential and the version that the dialect wants, and no other', async () => {
    upstream.fallback = message('Hello');
    await gateway.chat(request);
    expect(upstream.seen[0]).toMatchObject({
      path: '/v1/messages',
      headers: {
        'x-api-key': 'upstream-secret',
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: { model: 'native-beta-large-4-5' },
    });
    expect(upstream.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is a completion in our shape, its counts added up and recorded', async () => {
    upstream.fallback = message('Hellö \ud83d\ude00');
    const { json: answer } = await gateway.chat(request);
    expect(answer).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'beta-large-4-5',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Hellö \ud83d\ude00' }, finish_reason: 'stop' },
      ],
      usage: OUR_MESSAGE_USAGE,
    });
    expect(gateway.records).toMatchObject([
      {
        channel_id: 'ch-beta',
        prompt_tokens: 11n,
        completion_tokens: 7n,
        cached_tokens: 3n,
        cache_write_5m_tokens: 4n,
        cache_write_1h_tokens: 1n,
      },
    ]);
  });

  it('calls two tools and takes their results', async () => {
    const uses = ['a', 'b'].map((id) => ({
      type: 'tool_use',
      id: `toolu_${id}`,
      name: id,
      input: { q: id },
    }));
    upstream.queue.push(message([{ type: 'text', text: 'Looking.' }, ...uses], { stop_reason: 'tool_use' }));
    const tools = [tool('a'), tool('b')];
    const [choice] = (await gateway.chat({ ...request, tools })).json.choices;
    expect(choice).toEqual({
      index: 0,
      message: {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: ['a', 'b'].map((name) => ({
          id: `toolu_${name}`,
          type: 'function',
          function: { name, arguments: `{"q":"${name}"}` },
        })),
      },
      finish_reason: 'tool_calls',
    });
    upstream.queue.push(message('Done.'));
    const messages = [user, choice.message, result('toolu_b', 'two'), result('toolu_a', 'one')];
    await gateway.chat({ ...request, tools, messages });
    expect(upstream.seen[1]?.body.messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'Looking.' }, ...uses] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_a', content: 'one' },
          { type: 'tool_result', tool_use_id: 'toolu_b', content: 'two' },
        ],
      },
    ]);
  });

  it('sees an image, never fetched, and a mark on it', async () => {
    upstream.fallback = message('A cat.');
    const url = `${upstream.url}/cat.png`;
    const content = [
      { type: 'image_url', image_url: { url }, cache_control: { type: 'ephemeral' } },
      { type: 'image_url', image_url: { url: PNG } },
    ];
    expect((await gateway.chat({ ...request, messages: [{ role: 'user', content }] })).status).toBe(200);
    expect(upstream.seen.map((seen) => seen.path)).toEqual(['/v1/messages']);
    expect(upstream.seen[0]?.body.messages[0].content).toMatchObject([
      { type: 'image', source: { type: 'url', url }, cache_control: { type: 'ephemeral' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png' } },
    ]);
  });

  it('in JSON is the input of the forced tool, as text that ends regularly', async () => {
    upstream.fallback = (response, seen) => {
      const { name } = seen.body.tool_choice;
      const use = { type: 'tool_use', id: 'toolu_1', name, input: { a: ['ü', null] } };
      return message([use], { stop_reason: 'tool_use' })(response, seen);
    };
    const { json: answer } = await gateway.chat({ ...request, response_format: { type: 'json_object' } });
    expect(answer.choices).toEqual([
      { index: 0, message: { role: 'assistant', content: '{"a":["ü",null]}' }, finish_reason: 'stop' },
    ]);
  });
});

describe('a stream over the messages dialect', () => {
  it('is a role, the texts, and one last chunk with reason and usage before the marker', async () => {
    const { answer, chunks, done } = await readStream(ends, streamed, messageStream(['Hel', 'lo €😀']));
    expect(chunks.map((chunk) => chunk.choices[0].delta)).toEqual([
      { role: 'assistant' },
      { content: 'Hel' },
      { content: 'lo €😀' },
      {},
    ]);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: OUR_MESSAGE_USAGE });
    expect(done).toBe(true);
    expect(answer.text).not.toContain('native');
    expect(upstream.seen[0]).toMatchObject({
      headers: { accept: 'text/event-stream' },
      body: { stream: true },
    });
    expect(gateway.records).toMatchObject([{ outcome: 'success', cache_write_5m_tokens: 4n }]);
  });

  it('carries calls: id and name once, then the arguments', async () => {
    const { chunks } = await readStream(ends, { ...streamed, tools: [tool('f')] }, [
      MESSAGE_START,
      ...toolBlock(0, 'toolu_1', 'f', ['{"x', '":"ü"}']),
      ...messageEnd('tool_use'),
    ]);
    expect(chunks.slice(1).map((chunk) => chunk.choices[0].delta.tool_calls?.[0])).toEqual([
      { index: 0, id: 'toolu_1', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 0, function: { arguments: '{"x' } },
      { index: 0, function: { arguments: '":"ü"}' } },
      undefined,
    ]);
    expect(chunks.at(-1).choices[0].finish_reason).toBe('tool_calls');
  });

  it('in JSON is the input of the forced tool in fragments', async () => {
    const { answer, chunks } = await readStream(
      ends,
      { ...streamed, response_format: { type: 'json_object' } },
      [
        MESSAGE_START,
        ...toolBlock(0, 'toolu_1', 'answer_in_json', ['{"a":', '"ü"}']),
        ...messageEnd('tool_use'),
      ],
    );
    expect(streamedText(answer.text)).toBe('{"a":"ü"}');
    expect(chunks.at(-1).choices[0].finish_reason).toBe('stop');
  });

  it.for<[string, string[], 'fin' | 'reset', string]>([
    [
      'an error event',
      [messageEvent('error', { error: { type: 'overloaded_error' } })],
      'fin',
      'channel_queue_full',
    ],
    ['the end without a reason', [], 'fin', 'upstream_error'],
    ['a reset', [], 'reset', 'upstream_error'],
  ])('that fails by %s after a text is one error event and the marker', async ([, rest, end, code]) => {
    const { chunks, done } = await readStream(
      ends,
      streamed,
      [MESSAGE_START, ...textBlock(0, ['x']), ...rest],
      end,
    );
    expect(chunks.at(-1)).toMatchObject({ error: { code, channel: 'ch-beta' } });
    expect(chunks.flatMap((chunk) => chunk.choices?.[0].finish_reason ?? [])).toEqual([]);
    expect(done).toBe(true);
    expect(gateway.records).toMatchObject([{ outcome: code, prompt_tokens: 11n, completion_tokens: 1n }]);
  });

  it('that only pings is given up, and tried again', async () => {
    upstream.fallback = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(MESSAGE_START);
      const ping = setInterval(() => response.write(messageEvent('ping')), 5);
      response.once('close', () => clearInterval(ping));
    };
    const answer = gateway.chat(streamed);
    await upstream.waitFor(1);
    for (let i = 0; i < 40; i += 1) await gateway.clock.advance(2000).then(() => gateway.clock.sleep(2));
    expect((await answer).json.error.code).toBe('upstream_timeout');
    expect(upstream.seen).toHaveLength(2);
  });
});
