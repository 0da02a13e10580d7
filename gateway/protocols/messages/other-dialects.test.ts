import { afterEach, describe, expect, it } from 'vitest';
import { type ManyEnds, startManyEnds } from '../../testing/channels.ts';
import { completion, delta, events, frames, json } from '../../testing/fake-upstream.ts';
import { messagesRequest, postMessages, readMessageStream } from '../../testing/messages-caller.ts';
import { message, messageStream } from '../../testing/messages-upstream.ts';

let ends: ManyEnds;
afterEach(() => ends.close());

const beta = { 'beta-large-4-5': 'native-beta' };
const native = { dialect: 'messages', models: beta };
const common = { dialect: 'chat-completions', models: beta };
const use = { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } };
const hint = { cache_control: { type: 'ephemeral' } };

describe('a model behind a channel of another dialect', () => {
  it('gets the request in common form', async () => {
    ends = await startManyEnds([common]);
    await postMessages(ends.gateway, {
      ...messagesRequest,
      system: 's',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a', ...hint },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'b' }, use] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'r' }] },
            { type: 'text', text: 'c' },
          ],
        },
      ],
      tools: [{ name: 'f', description: 'd', input_schema: { type: 'object' }, ...hint }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
      temperature: 0.5,
      top_p: 0.9,
    });
    expect(ends.upstreams[0]?.seen[0]?.body).toEqual({
      model: 'native-beta',
      messages: [
        { role: 'system', content: 's' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: 'b',
          tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'toolu_1', content: 'r' },
        { role: 'user', content: [{ type: 'text', text: 'c' }] },
      ],
      tools: [
        { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } },
      ],
      tool_choice: 'required',
      parallel_tool_calls: false,
      stop: ['END'],
      user: 'u',
      max_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
    });
  });

  it('answers in the protocol of the caller', async () => {
    ends = await startManyEnds([common]);
    const tool_calls = [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }];
    ends.upstreams[0]?.queue.push(completion('Hi', { message: { tool_calls }, finish: 'tool_calls' }));
    const { json: answer } = await postMessages(ends.gateway, messagesRequest);
    expect(answer).toMatchObject({
      model: 'beta-large-4-5',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 'call_1', name: 'f', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 8, cache_read_input_tokens: 3, output_tokens: 7 },
    });
  });

  it.for([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
  ])('maps the finish reason %s to %s', async ([finish, reason]) => {
    ends = await startManyEnds([common]);
    ends.upstreams[0]?.queue.push(completion('x', { finish }), events(frames(['x'], finish)));
    expect((await postMessages(ends.gateway, messagesRequest)).json.stop_reason).toBe(reason);
    const streamed = await postMessages(ends.gateway, { ...messagesRequest, stream: true });
    expect(readMessageStream(streamed.text).message.stop_reason).toBe(reason);
  });

  it('streams calls one after another, though their pieces interleave', async () => {
    ends = await startManyEnds([common]);
    const call = (index: number, text: string, more: object = {}): string =>
      delta({
        tool_calls: [
          {
            index,
            function: { arguments: text, ...more },
            ...(Object.keys(more).length > 0 && { id: `call_${index}`, type: 'function' }),
          },
        ],
      });
    ends.upstreams[0]?.queue.push(
      events([
        call(0, '', { name: 'f' }),
        call(1, '', { name: 'g' }),
        call(0, '{"a"'),
        call(1, '{"b":'),
        call(0, ':1}'),
        call(1, '2}'),
        ...frames([], 'tool_calls'),
      ]),
    );
    const { message: built } = readMessageStream(
      (await postMessages(ends.gateway, { ...messagesRequest, stream: true })).text,
    );
    expect(built).toMatchObject({
      content: [
        { type: 'tool_use', id: 'call_0', name: 'f', input: { a: 1 } },
        { type: 'tool_use', id: 'call_1', name: 'g', input: { b: 2 } },
      ],
      usage: { input_tokens: 8, cache_read_input_tokens: 3, output_tokens: 7 },
    });
  });

  it.for<[string, object]>([
    ['top_k', { top_k: 3 }],
    ['thinking', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['unheard_of', { unheard_of: 1 }],
    ['metadata.more', { metadata: { more: 1 } }],
    ['stop_sequences', { stop_sequences: ['a', 'b', 'c', 'd', 'e'] }],
    ['tools[0]', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['tools[0].name', { tools: [{ name: 'f'.repeat(100), input_schema: {} }] }],
    [
      'messages[0].content[0]',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: '' }] },
          ...messagesRequest.messages,
        ],
      },
    ],
    [
      'messages[0].content[0].is_error',
      { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', is_error: true }] }] },
    ],
    [
      'messages[0].content[0].source',
      {
        messages: [
          { role: 'user', content: [{ type: 'document', source: { type: 'url', url: 'https://e.org/x' } }] },
        ],
      },
    ],
  ])('cannot be sent %s', async ([param, fields]) => {
    ends = await startManyEnds([common]);
    const { status, json: answer } = await postMessages(ends.gateway, { ...messagesRequest, ...fields });
    expect(status).toBe(400);
    expect(answer.error).toMatchObject({ code: 'unsupported_capability', param });
    expect(ends.upstreams[0]?.seen).toEqual([]);
  });

  it('is skipped for requests that only the protocol of the caller can express', async () => {
    ends = await startManyEnds([common, native]);
    const [, second] = ends.upstreams;
    if (second !== undefined) second.fallback = message('x');
    for (let i = 0; i < 3; i += 1) await postMessages(ends.gateway, { ...messagesRequest, top_k: i });
    expect(ends.upstreams.map(({ seen }) => seen.length)).toEqual([0, 3]);
  });

  it('serves as a fallback for a model of the protocol, under its own name', async () => {
    const fallback = { fallbacks: { 'beta-large-4-5': 'delta-3' } };
    ends = await startManyEnds([native, {}], fallback);
    const [first, second] = ends.upstreams;
    if (first === undefined || second === undefined) return;
    first.fallback = json(500, {});
    second.queue.push(completion('Here'), events(frames(['He', 're'])));
    const plain = await postMessages(ends.gateway, messagesRequest);
    expect(plain.json).toMatchObject({ model: 'delta-3', content: [{ type: 'text', text: 'Here' }] });
    const streamed = readMessageStream(
      (await postMessages(ends.gateway, { ...messagesRequest, stream: true })).text,
    );
    expect(streamed.message).toMatchObject({ model: 'delta-3', content: [{ type: 'text', text: 'Here' }] });
    expect(ends.gateway.records).toMatchObject([
      { model_requested: 'beta-large-4-5', model_served: 'delta-3', attempts: 3 },
      { model_requested: 'beta-large-4-5', model_served: 'delta-3' },
    ]);
  });

  it('of the same protocol without stop sequences is cut by the gateway', async () => {
    ends = await startManyEnds([{ ...native, takes_stop: false }]);
    const [upstream] = ends.upstreams;
    upstream?.queue.push(message('one END two'), events(messageStream(['one E', 'ND two'])));
    const asked = { ...messagesRequest, stop_sequences: ['END'] };
    const plain = await postMessages(ends.gateway, asked);
    const halted = {
      content: [{ type: 'text', text: 'one ' }],
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    };
    expect(plain.json).toMatchObject(halted);
    const streamed = readMessageStream((await postMessages(ends.gateway, { ...asked, stream: true })).text);
    expect(streamed.message).toMatchObject(halted);
    expect(upstream?.seen[0]?.body).not.toHaveProperty('stop_sequences');
    const many = Array.from({ length: 65 }, (_, i) => `stop ${i}`);
    expect(await postMessages(ends.gateway, { ...messagesRequest, stop_sequences: many })).toMatchObject({
      status: 400,
      json: { error: { code: 'unsupported_capability', param: 'stop_sequences' } },
    });
  });
});
