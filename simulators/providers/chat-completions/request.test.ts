import { describe, expect, it } from 'vitest';
import { parseRequest } from './request.ts';

const messages = [{ role: 'user', content: 'hi' }];
const parse = (members: object): ReturnType<typeof parseRequest> =>
  parseRequest(Buffer.from(JSON.stringify({ model: 'small-1', messages, ...members })));

const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
const asked = { role: 'assistant', content: null, tool_calls: [call] };
const answered = { role: 'tool', tool_call_id: 'c1', content: '1' };
const tool = { type: 'function', function: { name: 'f' } };
const missing = 'missing_required_parameter';
/** One user message with this content. */
const say = (content: unknown): object => ({ messages: [{ role: 'user', content }] });
const go = (...turns: object[]): object => ({ messages: [...messages, ...turns] });

describe('a native request', () => {
  it.each([
    ['no messages', { messages: undefined }, 'messages', missing],
    ['no model', { model: undefined }, 'model', missing],
    ['an empty conversation', { messages: [] }, 'messages', 'array_below_min'],
    ['messages of the wrong type', { messages: 'hi' }, 'messages', 'invalid_type'],
    ['a model of the wrong type', { model: 5 }, 'model', 'invalid_type'],
    ['an unknown role', { messages: [{ role: 'robot', content: 'a' }] }, 'messages[0].role', 'invalid_value'],
    ['content of the wrong type', say(5), 'messages[0].content', 'invalid_type'],
    ['no content', say(undefined), 'messages[0].content', null],
    ['an incomplete block', say([{ type: 'text' }]), 'messages[0].content[0].text', missing],
    [
      'an image that has no address',
      say([{ type: 'image_url', image_url: { url: 'x' } }]),
      'messages[0].content[0].image_url.url',
      'invalid_value',
    ],
    ['too high a temperature', { temperature: 2.01 }, 'temperature', 'number_above_max'],
    ['a negative temperature', { temperature: -0.01 }, 'temperature', 'number_below_min'],
    ['a temperature in quotes', { temperature: '1' }, 'temperature', 'invalid_type'],
    ['no token at all', { max_tokens: 0 }, 'max_tokens', 'number_below_min'],
    ['half a token', { max_tokens: 1.5 }, 'max_tokens', 'invalid_type'],
    ['five stop sequences', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop', 'array_above_max'],
    ['a stream that is no boolean', { stream: 'true' }, 'stream', 'invalid_type'],
    ['stream options without a stream', { stream_options: { include_usage: true } }, 'stream_options', null],
    ['a fraction as seed', { seed: 0.5 }, 'seed', 'invalid_value'],
    ['a nameless tool', { tools: [{ ...tool, function: {} }] }, 'tools[0].function.name', missing],
    ['a choice without tools', { tool_choice: 'required' }, 'tool_choice', null],
    [
      'a choice of no such tool',
      { tools: [tool], tool_choice: { ...tool, function: { name: 'g' } } },
      'tool_choice',
      null,
    ],
    ['an answer without a call', go(answered), 'messages[1].role', null],
    [
      'an answer that names no call',
      go(asked, { role: 'tool', content: '1' }),
      'messages[2].tool_call_id',
      missing,
    ],
    ['a call without an answer', go(asked), 'messages', null],
    ['a call answered too late', go(asked, ...messages, answered), 'messages[2]', null],
  ])('is refused with %s', (_what, members, param, code) => {
    expect(parse(members)).toMatchObject({
      ok: false,
      error: { status: 400, type: 'invalid_request_error', param, code },
    });
  });

  it.each(['', '{"model":', '[]', 'null', '"text"'])('is rejected if its body is %j', (body) => {
    expect(parseRequest(Buffer.from(body))).toMatchObject({ ok: false, error: { status: 400, param: null } });
  });
});
