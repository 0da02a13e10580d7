import { describe, expect, it } from 'vitest';
import { chatModels } from '../../../catalogue/chat-models.ts';
import { parseJsonObject } from '../../../http/parse-json.ts';
import type { ChatRequest } from '../../chat-request.ts';
import { parseMessagesRequest } from './parse.ts';

/** Parses a body with these fields. */
function parsed(fields: object): ChatRequest {
  const model = chatModels.get('beta-large-4-5');
  if (model === undefined) throw new Error('no such model');
  const body = { model: model.id, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], ...fields };
  return parseMessagesRequest(parseJsonObject(Buffer.from(JSON.stringify(body))), model);
}

const user = (...content: object[]): object => ({ messages: [{ role: 'user', content }] });
const result = (id: string, content: unknown, more: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});
const text = (said: string, more: object = {}): object => ({ type: 'text', text: said, ...more });
const medium = (type: string, source: object): object => ({ type, source });
const url = (at: string): object => ({ type: 'url', url: at });

describe('a native request in common form', () => {
  it('maps every path to the body of the caller', () => {
    const { native, fields } = parsed({
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: [text('a')] },
        { role: 'assistant', content: [text('b'), { type: 'tool_use', id: 't', name: 'f', input: {} }] },
        { role: 'user', content: [result('t', 'r'), text('c')] },
      ],
      tools: [
        { type: 'bash_1', name: 'bash' },
        { name: 'f', input_schema: {} },
      ],
    });
    expect(fields.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    const places = {
      'messages[0]': 'messages[0].content',
      'messages[1].content[0]': 'messages[1].content[0]',
      'messages[2].tool_calls[0].id': 'messages[2].content[1]',
      'messages[3].tool_call_id': 'messages[3].content[0]',
      'messages[4].content[0]': 'messages[3].content[1]',
      'tools[0].function.name': 'tools[1]',
      messages: 'messages',
      stop: 'stop_sequences',
      user: 'metadata.user_id',
      max_tokens: 'max_tokens',
    };
    expect(Object.keys(places).map((ours) => native?.placeOf(ours))).toEqual(Object.values(places));
  });

  it.for<[string, object, string]>([
    ['a picture by its URL', medium('image', url('https://e.org/a')), 'https://e.org/a'],
    ['a document whose URL says so', medium('document', url('https://e.org/a.pdf')), 'https://e.org/a.pdf'],
    [
      'a video',
      medium('video', { type: 'base64', media_type: 'video/mp4', data: 'AAAA' }),
      'data:video/mp4;base64,AAAA',
    ],
  ])('has %s', ([, block, ours]) => {
    const { fields, native } = parsed(user(block));
    expect(fields.messages[0]?.content).toEqual([{ type: 'image_url', image_url: { url: ours } }]);
    expect(native?.nativeOnly).toEqual([]);
  });

  it.for<[string, object, string[]]>([
    ['a document by another URL', medium('document', url('https://e.org/a')), ['.source']],
    [
      'a document with a title',
      { ...medium('document', url('https://e.org/a.pdf')), title: 't' },
      ['.title'],
    ],
    ['a file', medium('image', { type: 'file', file_id: 'f' }), ['.source.file_id', '.source']],
    ['broken data', medium('image', { type: 'base64', media_type: 'image/png', data: '!' }), ['.source']],
    ['a picture in a result', result('t', [medium('image', url('https://e.org/a'))]), ['.content[0]']],
    ['a citation', text('x', { citations: [] }), ['.citations']],
    ['a kind that nobody knows', { type: 'x_new' }, ['']],
  ])('cannot say %s', ([, block, places]) => {
    expect(parsed(user(block)).native?.nativeOnly).toEqual(
      places.map((place) => `messages[0].content[0]${place}`),
    );
  });

  it('keeps texts of documents for the length check, and their images for the capability check', () => {
    const inner = [text('b'), medium('image', url('https://e.org/a'))];
    const { fields, native } = parsed(
      user(
        medium('document', { type: 'text', media_type: 'text/plain', data: 'a' }),
        medium('document', { type: 'content', content: inner }),
      ),
    );
    expect(fields.messages[0]?.content).toEqual([
      text('a'),
      text('b'),
      { type: 'image_url', image_url: { url: 'https://e.org/a' } },
    ]);
    expect(native?.placeOf('messages[0].content[2]')).toBe('messages[0].content[1].source.content[1]');
    expect(native?.nativeOnly).toEqual(['messages[0].content[0]', 'messages[0].content[1]']);
  });

  it('drops cache hints and nulls, which change no answer', () => {
    const { native } = parsed({
      ...user(
        text('a', { cache_control: { type: 'x_new' }, citations: null }),
        result('t', null, { is_error: false }),
      ),
      cache_control: { type: 'ephemeral' },
      top_k: null,
    });
    expect(native?.nativeOnly).toEqual([]);
  });

  it('has no empty stop, which would end every answer', () => {
    const { fields, native } = parsed({ stop_sequences: ['', 'END'] });
    expect(fields.stop).toEqual(['END']);
    expect(native?.nativeOnly).toEqual(['stop_sequences']);
  });

  it('lists the given fields under their common names', () => {
    const { given, tags } = parsed({
      system: 's',
      stop_sequences: ['x'],
      metadata: {},
      top_k: 1,
      tools: null,
    });
    expect([...given].sort()).toEqual(['max_tokens', 'messages', 'model', 'stop', 'system', 'user']);
    expect(tags).toBeNull();
  });
});

it.for<[string, unknown]>([
  ['fallbacks', [{ model: 'beta-pro-4-1' }]],
  ['fallbacks', 'auto'],
  ['speed', 'fast'],
])('%s of %j are other terms than those of the service', ([name, value]) => {
  expect(() => parsed({ [name]: value })).toThrow(
    expect.objectContaining({ code: 'invalid_param', param: name }),
  );
});

it.for<[string, unknown]>([
  ['fallbacks', []],
  ['fallbacks', 'off'],
  ['speed', 'standard'],
  ['speed', null],
])('%s of %j are its own', ([name, value]) => {
  expect(parsed({ [name]: value }).native?.body).toMatchObject({ [name]: value });
});
