import { describe, expect, it } from 'vitest';
import { events, type FakeUpstream, type StreamEnd } from '../../testing/fake-upstream.ts';
import { messagesRequest, postMessages, readMessageStream } from '../../testing/messages-caller.ts';
import {
  blockDelta,
  message,
  messageEnd,
  messageEvent,
  messageStart,
  messageStream,
  messageUsage,
  textBlock,
} from '../../testing/messages-upstream.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((started) => {
  ({ upstream, gateway } = started);
});

const streamed = { ...messagesRequest, stream: true };
const start = (index: number, content_block: object): string =>
  messageEvent('content_block_start', { index, content_block });
const stop = (index: number): string => messageEvent('content_block_stop', { index });

/** What a client sees while the upstream streams these events. */
async function streamOf(native: readonly string[], end: StreamEnd = 'fin') {
  upstream.fallback = events(native, end);
  const answer = await postMessages(gateway, streamed);
  return { answer, ...readMessageStream(answer.text) };
}

describe('a stream in the messages protocol', () => {
  it('is the native sequence with ids and names of ours, and no marker behind it', async () => {
    const { answer, events: seen } = await streamOf(messageStream(['Hel', 'lo €😀']));
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const { output_tokens: _output, ...input } = messageUsage;
    expect(seen).toEqual([
      {
        type: 'message_start',
        message: {
          id: expect.stringMatching(/^msg_/),
          type: 'message',
          role: 'assistant',
          model: 'beta-large-4-5',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...input, output_tokens: 1 },
        },
      },
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo €😀' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: messageUsage,
      },
      { type: 'message_stop' },
    ]);
    expect(answer.text).not.toMatch(/native-name|msg_native|\[DONE\]/);
    expect(upstream.seen[0]?.body).toEqual({ ...streamed, model: 'native-beta-large-4-5' });
    expect(gateway.records).toMatchObject([{ outcome: 'success', stream: true, prompt_tokens: 11n }]);
  });

  it('is on record before it ends', async () => {
    gateway.onWrite = () => Promise.reject(new Error('no store'));
    const { error, message: built } = await streamOf(messageStream(['x']));
    expect(error.error.code).toBe('internal_error');
    expect(built.stop_reason).toBeNull();
  });

  it('holds every other block in its place: thinking, signatures, citations, tools of the server', async () => {
    const citation = { type: 'char_location', start_char_index: 1 };
    const { message: built } = await streamOf([
      messageStart,
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      blockDelta(0, { type: 'thinking_delta', thinking: 'hm' }),
      blockDelta(0, { type: 'signature_delta', signature: 'sig==' }),
      stop(0),
      start(1, { type: 'redacted_thinking', data: 'xx' }),
      stop(1),
      start(2, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      blockDelta(2, { type: 'input_json_delta', partial_json: '{"query":"q"}' }),
      stop(2),
      start(3, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ x: 1 }] }),
      stop(3),
      ...textBlock(4, ['plain']),
      start(5, { type: 'text', text: '' }),
      blockDelta(5, { type: 'citations_delta', citation }),
      blockDelta(5, { type: 'text_delta', text: 'cited' }),
      stop(5),
      ...messageEnd('pause_turn'),
    ]);
    expect(built).toMatchObject({
      stop_reason: 'pause_turn',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'sig==' },
        { type: 'redacted_thinking', data: 'xx' },
        { type: 'server_tool_use', id: 'srvtoolu_1', input: { query: 'q' } },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ x: 1 }] },
        { type: 'text', text: 'plain' },
        { type: 'text', text: 'cited', citations: [citation] },
      ],
    });
  });

  it('is in order when the upstream’s is not: blocks interleave, repeat, never close', async () => {
    const { message: built } = await streamOf([
      messageStart,
      start(0, { type: 'thinking', thinking: '' }),
      start(1, { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }),
      blockDelta(1, { type: 'input_json_delta', partial_json: '{"a"' }),
      blockDelta(0, { type: 'thinking_delta', thinking: 'h' }),
      start(2, { type: 'tool_use', id: 'toolu_1', name: 'g', input: { b: 2 } }),
      blockDelta(1, { type: 'input_json_delta', partial_json: ':1}' }),
      blockDelta(0, { type: 'thinking_delta', thinking: 'm' }),
      blockDelta(7, { type: 'text_delta', text: 'x' }),
      ...messageEnd('end_turn'),
    ]);
    expect(built).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
        { type: 'tool_use', id: expect.stringMatching(/^call_/), name: 'g', input: { b: 2 } },
        { type: 'text', text: 'x' },
      ],
    });
  });

  it('is made of a whole answer where the upstream gave one', async () => {
    upstream.fallback = message([
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
    ]);
    const { message: built } = readMessageStream((await postMessages(gateway, streamed)).text);
    expect(built).toMatchObject({
      content: [
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: messageUsage,
    });
  });
});
