import { describe, expect, it } from 'vitest';
import { type Manner, parseCount, parseMessages } from './request.ts';

const messages = [{ role: 'user', content: 'hi' }];
const parse = (members: object, manner: Manner = {}): ReturnType<typeof parseMessages> =>
  parseMessages(Buffer.from(JSON.stringify({ model: 'm', max_tokens: 9, messages, ...members })), manner);
/** One user message with these blocks. */
const say = (...content: object[]): object => ({ messages: [{ role: 'user', content }] });

const go = (...turns: object[]): object => ({ messages: [...messages, ...turns] });
const by = (role: string, content: unknown): object => ({ role, content });

const call = { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } };
const asked = { role: 'assistant', content: [{ type: 'text', text: 'Hm.' }, call] };
const result = { type: 'tool_result', tool_use_id: 'c1', content: 'ok' };
const tool = { name: 'f', input_schema: { type: 'object' } };
const text = { type: 'text', text: 'a' };
const marked = (ttl?: string): object => ({
  ...text,
  cache_control: { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) },
});
const hint = { type: 'ephemeral' };
const four = say(marked(), marked(), marked(), marked());
const picture = (source: object): object => ({ type: 'image', source });
const bytes = (media_type: string, data = 'AAAA'): object => ({ type: 'base64', media_type, data });

describe('a native request', () => {
  it.each([
    ['an empty prefill', { messages: [...messages, { role: 'assistant', content: '' }] }],
    ['two turns of one role', { messages: [...messages, ...messages] }],
    ['four marks, the long-lived first', say(marked('1h'), marked('1h'), marked('5m'), marked())],
    ['no mark where one could be', say({ ...text, cache_control: null })],
  ])('may have %s', (_what, members) => {
    expect(parse(members)).toMatchObject({ ok: true });
  });

  it.each([
    ['an unknown member', { seed: 5 }, 'seed: Extra inputs are not permitted'],
    [
      'an unknown member of a block',
      say({ ...text, detail: 1 }),
      'messages.0.content.0.detail: Extra inputs',
    ],
    ['no limit', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['a limit of nothing', { max_tokens: 0 }, 'max_tokens: '],
    ['a limit that is no number', { max_tokens: '5' }, 'max_tokens: Input should be a valid'],
    ['no messages', { messages: [] }, 'messages: '],
    ['a temperature above one', { temperature: 1.01 }, 'temperature: '],
    ['temperature beside top_p', { temperature: 1, top_p: 1 }, '`temperature` and `top_p`'],
    ['a blank stop sequence', { stop_sequences: ['x', ' \n'] }, 'stop_sequences.1: '],
    ['a long user', { metadata: { user_id: 'u'.repeat(257) } }, 'metadata.user_id: '],
    ['another role', { messages: [{ role: 'developer', content: 'a' }] }, 'messages.0.role: '],
    ['instructions first', { messages: [by('system', 'a')] }, 'messages: the first'],
    ['a member of a beta', { context_management: {} }, 'context_management: Extra inputs'],
    ['a tool of the provider in no version', { tools: [{ type: 'bash', name: 'bash' }] }, 'tools.0.'],
    ['a hint of its own that is the fifth', { cache_control: hint, ...four }, 'cache_control: at most 4'],
    ['content of the wrong type', { messages: [{ role: 'user', content: 5 }] }, 'messages.0.content: '],
    ['an unknown block', say({ type: 'image_url' }), 'messages.0.content.0.type: '],
    ['a block without its content', say({ type: 'text' }), 'messages.0.content.0.text: Field required'],
    ['an empty text block', say({ type: 'text', text: '' }), 'messages.0.content.0.text: '],
    ['blank content', { messages: [{ role: 'user', content: ' ' }] }, 'messages.0.content: '],
    ['no content', { messages: [{ role: 'user', content: '' }] }, 'messages.0: '],
    ['a blank system', { system: ' ' }, 'system: '],
    [
      'a picture of another type',
      say(picture(bytes('image/bmp'))),
      'messages.0.content.0.source.media_type: ',
    ],
    [
      'bytes that are no base64',
      say(picture(bytes('image/png', 'a-b'))),
      'messages.0.content.0.source.data: ',
    ],
    ['an address that is none', say(picture({ type: 'url', url: 'x' })), 'messages.0.content.0.source.url: '],
    ['sound of pictures', say({ type: 'audio', source: bytes('image/png') }), 'messages.0.content.0.source'],
    ['another ttl', say(marked('2h')), 'messages.0.content.0.cache_control.ttl: '],
    ['five marks', say(...Array.from({ length: 5 }, () => marked())), 'cache_control: at most 4'],
    ['a longer life behind', { system: [marked()], ...say(marked('1h')) }, 'cache_control: a `1h`'],
    ['the assistant first', { messages: [by('assistant', 'a')] }, 'messages: the first'],
    ['an open prefill', go(by('assistant', 'a ')), 'messages: the content of a last'],
    ['a call of the user', say(call), 'messages.0: a `tool_use` block'],
    [
      'a picture of the assistant',
      go(by('assistant', [picture(bytes('image/png'))])),
      'messages.1: a `image` block',
    ],
    ['a call without an answer', go(asked, ...messages), 'messages.1: `tool_use` without'],
    ['a last call without an answer', go(asked), 'messages.1: `tool_use` without'],
    ['an answer without a call', say(result), 'messages.0: `tool_result` for c1'],
    ['a late answer', go(asked, by('user', [text, result])), 'messages.2: `tool_result` blocks come before'],
    ['an id of other letters', go(by('assistant', [{ ...call, id: 'a:b' }])), 'messages.1.content.0.id: '],
    ['an id used twice', go(by('assistant', [call, call])), 'messages.1: `tool_use` ids'],
    [
      'no kind of tool',
      { tools: [{ ...tool, input_schema: {} }] },
      'tools.0.input_schema.type: Field required',
    ],
    ['a tool with another name', { tools: [{ ...tool, name: 'a b' }] }, 'tools.0.name: '],
    ['two tools of one name', { tools: [tool, tool] }, 'tools: the names'],
    ['a choice without tools', { tool_choice: { type: 'any' } }, 'tool_choice: '],
    [
      'a choice of no such tool',
      { tools: [tool], tool_choice: { type: 'tool', name: 'g' } },
      'tool_choice.name: ',
    ],
  ])('is refused for %s', (_what, members, beginning) => {
    const parsed = parse(members);
    expect(parsed).toMatchObject({ ok: false, error: { status: 400, type: 'invalid_request_error' } });
    expect(parsed.ok ? '' : parsed.error.message.slice(0, beginning.length)).toBe(beginning);
  });

  it('may have members of a beta that it declares', () => {
    const declared = 'mcp-client-2025-11-20, context-management-2025-06-27';
    expect(parse({ context_management: { edits: [] } }, { betas: declared })).toMatchObject({ ok: true });
    expect(parse({ compaction: {} }, { betas: declared })).toMatchObject({
      ok: false,
      error: { message: 'compaction: Extra inputs are not permitted' },
    });
  });

  it('is rejected if it is not a JSON object', () => {
    for (const body of ['{"model":', '[]', '']) {
      expect(parseMessages(Buffer.from(body))).toMatchObject({ ok: false, error: { status: 400 } });
    }
  });
});

it('a token count accepts only members of the prompt', () => {
  const count = (members: object): ReturnType<typeof parseCount> =>
    parseCount(Buffer.from(JSON.stringify({ model: 'm', messages, tools: [tool], system: 'a', ...members })));
  expect(count({})).toMatchObject({ ok: true });
  expect(count({ max_tokens: 5 })).toMatchObject({
    ok: false,
    error: { message: 'max_tokens: Extra inputs are not permitted' },
  });
});
