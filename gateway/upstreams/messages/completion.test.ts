import { describe, expect, it } from 'vitest';
import { messageUsage } from '../../testing/messages-upstream.ts';
import { readCompletion } from './completion.ts';

const text = (content: string) => ({ type: 'text', text: content });
const use = (id: unknown, name: unknown, input: unknown = {}) => ({ type: 'tool_use', id, name, input });
const message = (content: unknown, more: object = {}) => ({
  type: 'message',
  content,
  stop_reason: 'end_turn',
  usage: messageUsage,
  ...more,
});

function read(body: unknown, textTool: string | null = null) {
  const given = typeof body === 'string' ? body : JSON.stringify(body);
  return readCompletion(given, { textTool, newCallId: () => 'made', keepNative: false });
}

describe('a message', () => {
  it('of several blocks is their text, put together', () => {
    const blocks = [
      text('a '),
      { type: 'thinking', thinking: 'CANARY' },
      text('ü\ud800'),
      { type: 'novelty' },
    ];
    expect(read(message(blocks))).toEqual({
      kind: 'completion',
      text: 'a ü\ud800',
      toolCalls: [],
      finish: 'stop',
      usage: {
        promptTokens: 11,
        completionTokens: 7,
        cachedTokens: 3,
        cacheWrite5mTokens: 4,
        cacheWrite1hTokens: 1,
      },
    });
  });

  it('with calls has them in order, their input as JSON text, digits and all', () => {
    const body = JSON.stringify(
      message([text('x'), use('a', 'f', { n: 0 }), use('', 'g')], { stop_reason: 'x' }),
    );
    expect(read(body.replace('"n":0', '"n":12345678901234567890'))).toMatchObject({
      text: 'x',
      toolCalls: [
        { id: 'a', name: 'f', arguments: '{"n":12345678901234567890}' },
        { id: 'made', name: 'g', arguments: '{}' },
      ],
      finish: 'tool_calls',
    });
  });

  it('of calls alone has no text, one of nothing an empty one', () => {
    expect(read(message([use('a', 'f')]))).toMatchObject({ text: null });
    expect(read(message([]))).toMatchObject({ kind: 'completion', text: '', finish: 'stop' });
    expect(read(message([], { stop_reason: 'max_tokens' }))).toMatchObject({ text: '', finish: 'length' });
  });

  it('that was refused is a block without text and cut short with some', () => {
    expect(read(message([], { stop_reason: 'refusal' }))).toMatchObject({ reason: 'policy' });
    expect(read(message([text('x')], { stop_reason: 'refusal' }))).toMatchObject({
      finish: 'content_filter',
    });
  });

  it('without usage is one all the same', () => {
    expect(read(message([text('x')], { usage: undefined }))).toMatchObject({ text: 'x', usage: null });
  });

  it.for<[string, unknown]>([
    ['no JSON', 'x'],
    ['a list', []],
    ['no content', message(undefined)],
    ['content that is no list', message('x')],
    ['blocks that are none', message(['x'])],
    ['text that is none', message([{ type: 'text', text: 5 }])],
    ['a call without a name', message([use('a', '')])],
    ['no stop_reason', message([text('x')], { stop_reason: null })],
    [
      'input nested beyond all measure',
      JSON.stringify(message([use('a', 'f', 0)])).replace(':0', `:${'['.repeat(9e4)}${']'.repeat(9e4)}`),
    ],
  ])('is unusable with %s', ([, body]) => {
    expect(read(body)).toMatchObject({ kind: 'failure', reason: 'unusable' });
  });

  it('may be an error in disguise', () => {
    expect(read({ type: 'error', error: { type: 'overloaded_error' } })).toMatchObject({ reason: 'busy' });
  });
});

describe('a document', () => {
  it.for<[string, object[], string | null, number]>([
    ['alone', [use('d', 'json', { a: [1] })], '{"a":[1]}', 0],
    ['beside talk', [text('Here:'), use('d', 'json', { a: 1 }), text('Done.')], '{"a":1}', 0],
    ['twice', [use('d', 'json', { a: 1 }), use('e', 'json', { b: 2 })], '{"a":1}', 0],
    ['beside a call', [use('d', 'json', {}), use('a', 'f')], '{}', 1],
    ['replaced by a call', [use('a', 'f')], null, 1],
    ['replaced by words', [text('No.')], 'No.', 0],
  ])('%s is the text', ([, blocks, content, calls]) => {
    expect(read(message(blocks, { stop_reason: 'tool_use' }), 'json')).toMatchObject({
      text: content,
      toolCalls: { length: calls },
      finish: calls > 0 ? 'tool_calls' : 'stop',
    });
  });
});

describe('the body itself', () => {
  it('is kept beside the answer, digits and all, for callers of the dialect only', () => {
    const body = JSON.stringify(message([text('x')], { n: 0 })).replace('"n":0', '"n":12345678901234567890');
    const reading = { textTool: null, newCallId: () => 'made', keepNative: true };
    expect(JSON.stringify(readCompletion(body, reading))).toContain('"n":12345678901234567890');
    expect(read(body)).not.toHaveProperty('native');
  });
});
