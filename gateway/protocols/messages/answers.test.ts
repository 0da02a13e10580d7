import { describe, expect, it } from 'vitest';
import { events, type FakeUpstream } from '../../testing/fake-upstream.ts';
import { messagesRequest, postMessages } from '../../testing/messages-caller.ts';
import { message, messageStream, messageUsage } from '../../testing/messages-upstream.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((started) => {
  ({ upstream, gateway } = started);
});

const text = (said: string) => ({ type: 'text', text: said });

/** The answer of the gateway to these blocks. */
async function answerTo(content: string | readonly object[], more: object = {}) {
  upstream.queue.push(message(content, more));
  return await postMessages(gateway, messagesRequest);
}

it('streams, refusals and answers have the id under the name of the protocol, other protocols have not', async () => {
  upstream.queue.push(events(messageStream(['a'])));
  const streamed = await postMessages(gateway, { ...messagesRequest, stream: true });
  const refused = await postMessages(gateway, { ...messagesRequest, max_tokens: -1 });
  expect([streamed.status, refused.status]).toEqual([200, 400]);
  for (const { headers } of [streamed, refused]) {
    expect(headers['request-id']).toMatch(/^req_/);
    expect(headers['request-id']).toBe(headers['x-request-id']);
  }
  const { headers } = await gateway.chat({ model: 'no-such', messages: [] });
  expect(headers).not.toHaveProperty('request-id');
});

describe('a plain answer in the messages protocol', () => {
  it('is a message with ids and names of ours and the counts of the upstream', async () => {
    const answer = await answerTo('Hellö 😀');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': expect.any(String),
      'request-id': answer.headers['x-request-id'],
    });
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      role: 'assistant',
      model: 'beta-large-4-5',
      content: [text('Hellö 😀')],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: messageUsage,
    });
    expect(answer.json.id).not.toBe('msg_native');
  });

  it('holds every block as the upstream gave it, digits and all', async () => {
    const blocks = [
      { type: 'thinking', thinking: 'hm', signature: 'sig==' },
      { type: 'redacted_thinking', data: 'xx' },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ type: 'unheard_of' }] },
      { ...text('cited'), citations: [{ type: 'char_location', start_char_index: 1 }] },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: { n: 1 } },
    ];
    const native = { content: blocks, stop_reason: 'tool_use', usage: messageUsage };
    upstream.queue.push((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(native).replace('{"n":1}', '{"n":12345678901234567890}'));
    });
    const answer = await postMessages(gateway, messagesRequest);
    expect(answer.json).toMatchObject({ content: [...blocks.slice(0, 5), {}], stop_reason: 'tool_use' });
    expect(answer.text).toContain('"input":{"n":12345678901234567890}');
  });

  it('gives every call an id of its own and an object for its input', async () => {
    const use = (id: unknown, input: unknown) => ({ type: 'tool_use', id, name: 'f', input });
    const { json } = await answerTo([use('a', {}), use('a', 'broken'), use(null, undefined)], {
      stop_reason: 'end_turn',
    });
    expect(json).toMatchObject({
      stop_reason: 'tool_use',
      content: [use('a', {}), use(expect.any(String), { arguments: 'broken' }), use(expect.any(String), {})],
    });
    expect(new Set(json.content.map(({ id }: { id: string }) => id)).size).toBe(3);
  });

  it.for<[object, object]>([
    [{ stop_reason: 'max_tokens' }, { stop_reason: 'max_tokens', stop_sequence: null }],
    [{ stop_reason: 'refusal' }, { stop_reason: 'refusal', stop_sequence: null }],
    [{ stop_reason: 'pause_turn' }, { stop_reason: 'pause_turn', stop_sequence: null }],
    [{ stop_reason: 'model_context_window_exceeded' }, { stop_reason: 'model_context_window_exceeded' }],
    [
      { stop_reason: 'stop_sequence', stop_sequence: 'END' },
      { stop_reason: 'stop_sequence', stop_sequence: 'END' },
    ],
    [
      { stop_reason: 'nobody_knows', stop_sequence: 5 },
      { stop_reason: 'end_turn', stop_sequence: null },
    ],
  ])('that ends by %j says %j', async ([native, ours]) => {
    expect((await answerTo('x', native)).json).toMatchObject(ours);
  });

  it('has the counts that were believed, zeros for none, and what else was counted', async () => {
    const server_tool_use = { web_search_requests: 2 };
    const counted = await answerTo('x', { usage: { ...messageUsage, server_tool_use } });
    expect(counted.json.usage).toEqual({ ...messageUsage, server_tool_use });
    const uncounted = await answerTo('x', { usage: undefined });
    expect(uncounted.json.usage).toMatchObject({
      input_tokens: 0,
      output_tokens: 0,
      cache_read_input_tokens: 0,
    });
  });

  it('is put together from a stream that nobody asked for', async () => {
    upstream.queue.push(events(messageStream(['Hel', 'lo'], 'max_tokens')));
    const { json } = await postMessages(gateway, messagesRequest);
    expect(json).toMatchObject({ content: [text('Hello')], stop_reason: 'max_tokens', usage: messageUsage });
  });
});

describe('a failure behind the messages protocol', () => {
  it('of a complaint about what only the protocol has is the caller’s to mend', async () => {
    upstream.fallback = (response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      const error = { type: 'invalid_request_error', message: 'thinking.budget_tokens: too small' };
      response.end(JSON.stringify({ type: 'error', error }));
    };
    const { json } = await postMessages(gateway, { ...messagesRequest, thinking: { type: 'enabled' } });
    expect(json.error).toMatchObject({ code: 'invalid_param', channel: 'ch-beta' });
  });
});
