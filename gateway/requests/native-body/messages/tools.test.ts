import { describe, expect, it } from 'vitest';
import { chatRequest, messagesBodyOf } from '../../../testing/native-body.ts';
import { asks, result, tool, user } from '../../../testing/request-parts.ts';
import { messagesBody } from '../messages.ts';

const jsonAnswer = { response_format: { type: 'json_object' } };
const ours = {
  name: 'answer_in_json',
  description: expect.any(String),
  input_schema: { type: 'object' },
};
const named = (name: string) => ({ type: 'function', function: { name } });

describe('tools', () => {
  it('carry name, description, schema and mark', () => {
    const parameters = { type: 'object', properties: { q: { $ref: '#/x', enum: [1, null, 'ü'] } } };
    const tools = [
      { ...tool('f', { description: 'd', parameters, strict: true }), cache_control: { type: 'ephemeral' } },
      tool('g'),
    ];
    expect(messagesBodyOf({ tools }).tools).toEqual([
      { name: 'f', description: 'd', input_schema: parameters, cache_control: { type: 'ephemeral' } },
      { name: 'g', input_schema: { type: 'object', properties: {} } },
    ]);
  });

  it.for([
    [{}, { type: 'object' }],
    [{ properties: {} }, { type: 'object', properties: {} }],
    [{ type: 'string' }, { type: 'string' }],
  ])('have a schema that says what it is of: %j', ([parameters, schema]) => {
    expect(messagesBodyOf({ tools: [tool('f', { parameters })] }).tools[0].input_schema).toEqual(schema);
  });

  it('keep every digit of a schema', () => {
    const body = `{"model":"beta-large-4-5","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"maximum":12345678901234567890}}}]}`;
    expect(messagesBody(chatRequest(body, 'beta-large-4-5'), 'n').body).toContain('12345678901234567890');
  });

  it.for<[object, unknown]>([
    [{}, undefined],
    [{ tool_choice: 'auto' }, { type: 'auto' }],
    [{ tool_choice: 'none' }, { type: 'none' }],
    [{ tool_choice: 'required' }, { type: 'any' }],
    [{ tool_choice: named('f') }, { type: 'tool', name: 'f' }],
    [{ parallel_tool_calls: true }, undefined],
    [{ parallel_tool_calls: false }, { type: 'auto', disable_parallel_tool_use: true }],
    [{ parallel_tool_calls: false, tool_choice: 'none' }, { type: 'none' }],
    [
      { parallel_tool_calls: false, tool_choice: 'required' },
      { type: 'any', disable_parallel_tool_use: true },
    ],
    [
      { parallel_tool_calls: false, tool_choice: named('f') },
      { type: 'tool', name: 'f', disable_parallel_tool_use: true },
    ],
  ])('are chosen between as %j says', ([fields, choice]) => {
    expect(messagesBodyOf({ tools: [tool('f')], ...fields }).tool_choice).toEqual(choice);
  });

  it('of a history stand there, not to be called, when the caller gives none any more', () => {
    const messages = [user, asks('1', '2'), result('1'), result('2'), user];
    expect(messagesBodyOf({ messages })).toMatchObject({
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
      tool_choice: { type: 'none' },
    });
    expect(messagesBodyOf({ messages, tools: [tool('g')] }).tools).toHaveLength(1);
  });
});

describe('an answer in JSON', () => {
  it('is the input of a tool of ours that is forced', () => {
    const request = chatRequest({ messages: [user], ...jsonAnswer }, 'beta-large-4-5');
    const { body, textTool } = messagesBody(request, 'n');
    expect(textTool).toBe('answer_in_json');
    expect(JSON.parse(body)).toMatchObject({
      tools: [ours],
      tool_choice: { type: 'tool', name: 'answer_in_json', disable_parallel_tool_use: true },
    });
  });

  const tools = [tool('f')];
  it.for<[object, unknown]>([
    [{}, { type: 'any' }],
    [{ tool_choice: 'auto' }, { type: 'any' }],
    [{ parallel_tool_calls: false }, { type: 'any', disable_parallel_tool_use: true }],
    [{ tool_choice: 'none' }, { type: 'tool', name: 'answer_in_json', disable_parallel_tool_use: true }],
  ])('beside tools of the caller leaves them the choice of %j', ([fields, choice]) => {
    const body = messagesBodyOf({ tools, ...jsonAnswer, ...fields });
    expect(body.tools).toEqual([{ name: 'f', input_schema: { type: 'object', properties: {} } }, ours]);
    expect(body.tool_choice).toEqual(choice);
  });

  it.for<[object, unknown]>([
    [{ tool_choice: 'required' }, { type: 'any' }],
    [{ tool_choice: named('f') }, { type: 'tool', name: 'f' }],
  ])('gives way to a tool that the caller forces: %j', ([fields, choice]) => {
    const request = chatRequest({ messages: [user], tools, ...jsonAnswer, ...fields }, 'beta-large-4-5');
    const native = messagesBody(request, 'n');
    expect(native).not.toHaveProperty('textTool');
    expect(JSON.parse(native.body)).toMatchObject({ tools: [{ name: 'f' }], tool_choice: choice });
  });

  it('takes a name that is free', () => {
    const body = messagesBodyOf({ tools: [tool('answer_in_json'), tool('answer_in_json_')], ...jsonAnswer });
    expect(body.tools.at(-1).name).toBe('answer_in_json__');
  });

  it('is asked for after a history with calls, too', () => {
    const body = messagesBodyOf({ messages: [user, asks('1'), result('1')], ...jsonAnswer });
    expect(body.tools).toEqual([ours]);
  });
});
