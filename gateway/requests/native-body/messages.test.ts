import { describe, expect, it } from 'vitest';
import { chatRequest, messagesBodyOf } from '../../testing/native-body.ts';
import { asks, result, tool, user } from '../../testing/request-parts.ts';
import { messagesBody, messagesCountBody } from './messages.ts';

describe('the body in the messages dialect', () => {
  it('of a minimal request is the native name, the turn, and the most tokens', () => {
    expect(messagesBodyOf({})).toEqual({
      model: 'native-name',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      max_tokens: 200_000,
    });
  });

  it.for([
    [1, 1],
    [199_000, 199_000],
    [null, 200_000],
  ] as const)('says for max_tokens %j what was asked for, or the window: %i', ([given, native]) => {
    expect(messagesBodyOf({ max_tokens: given }).max_tokens).toBe(native);
  });

  it.for([
    [{ temperature: 0 }, { temperature: 0 }],
    [{ temperature: 0.7 }, { temperature: 0.7 }],
    [{ temperature: 1.01 }, { temperature: 1 }],
    [{ temperature: 2 }, { temperature: 1 }],
    [{ top_p: 0.5 }, { top_p: 0.5 }],
    [{ top_p: 0 }, { top_p: 0 }],
    [{ temperature: 0.2, top_p: 1 }, { temperature: 0.2 }],
    [{ temperature: 1, top_p: 0.3 }, { top_p: 0.3 }],
    [{ temperature: 2, top_p: 0.3 }, { top_p: 0.3 }],
    [{ temperature: 0.2, top_p: 0.3 }, { temperature: 0.2 }],
    [{ temperature: 1, top_p: 1 }, { temperature: 1 }],
    [{ temperature: null, top_p: null }, {}],
  ] as const)('keeps of the sampling %j only what may go: %j', ([given, native]) => {
    const { temperature, top_p } = messagesBodyOf(given);
    expect({ temperature, top_p }).toEqual({ temperature: undefined, top_p: undefined, ...native });
  });

  it.for([
    ['X', ['X']],
    [
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'd'],
    ],
    [['\n', 'X\n', ' \t'], ['X\n']],
    ['\n\n', undefined],
    [[], undefined],
    [null, undefined],
  ] as const)('turns stop %j into %j', ([stop, native]) => {
    expect(messagesBodyOf({ stop }).stop_sequences).toEqual(native);
  });

  it('keeps the stops of nothing but white space for us to halt at', () => {
    const stops = (stop: unknown) =>
      messagesBody(chatRequest({ messages: [user], stop }, 'beta-mid-4-5'), 'n').ownStops;
    expect(stops(['\n', 'X\n', ' \t'])).toEqual(['\n', ' \t']);
    expect(stops('X')).toBeUndefined();
  });

  it.for([
    ['someone ü', 'someone ü'],
    ['x'.repeat(300), 'x'.repeat(256)],
    [`${'x'.repeat(255)}😀`, 'x'.repeat(255)],
  ])('names the user %j', ([label, native]) => {
    expect(messagesBodyOf({ user: label }).metadata).toEqual({ user_id: native });
  });

  it('keeps back what the dialect has no member for', () => {
    const quiet = {
      seed: 5,
      metadata: { a: 'b' },
      user: '',
      n: 1,
      logprobs: false,
      tool_choice: 'auto',
      parallel_tool_calls: false,
      response_format: { type: 'text' },
      stream_options: { include_usage: true },
    };
    expect(messagesBodyOf(quiet)).toEqual(messagesBodyOf({}));
  });

  it('says that it wants a stream only when it does', () => {
    expect(messagesBodyOf({ stream: true }).stream).toBe(true);
    expect(messagesBodyOf({ stream: false })).not.toHaveProperty('stream');
  });
});

describe('the system message', () => {
  const system = (content: unknown): unknown =>
    messagesBodyOf({ messages: [{ role: 'system', content }, user] });

  it('stands apart from the turns, word for word', () => {
    expect(system(' You are terse. \u2028 ü')).toMatchObject({
      system: ' You are terse. \u2028 ü',
      messages: [{ role: 'user' }],
    });
  });

  it.for(['', ' \n', [{ type: 'text', text: ' ' }]])('is left out when it is blank: %j', (content) => {
    expect(system(content)).toEqual(messagesBodyOf({}));
  });

  it('keeps its blocks and their marks', () => {
    const blocks = [
      { type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: 'b' },
    ];
    expect(system(blocks)).toMatchObject({ system: blocks });
  });

  it('alone is followed by the shortest turn that the dialect takes', () => {
    const body = messagesBodyOf({ messages: [{ role: 'system', content: 'Say hi.' }] });
    expect(body).toMatchObject({
      system: 'Say hi.',
      messages: [{ role: 'user', content: [{ type: 'text', text: '.' }] }],
    });
  });
});

describe('the body of a counting call', () => {
  it('is the prompt of the request and nothing else', () => {
    const request = chatRequest(
      {
        messages: [{ role: 'system', content: 's' }, user, asks('1'), result('1')],
        tools: [tool('f')],
        tool_choice: 'required',
        max_tokens: 5,
        stop: 'X',
        stream: true,
        temperature: 0.5,
        user: 'u',
      },
      'beta-small-4-5',
    );
    const { model, system, messages, tools, tool_choice } = JSON.parse(messagesBody(request, 'n').body);
    expect(JSON.parse(messagesCountBody(request, 'n'))).toEqual({
      model,
      system,
      messages,
      tools,
      tool_choice,
    });
  });
});
