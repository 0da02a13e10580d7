import { describe, expect, it } from 'vitest';
import type { Reply } from '../../control/protocol.ts';
import { findModel } from './models.ts';
import { promptBlocks } from './prompt-blocks.ts';
import { composeMessage, type Message, renderMessage } from './reply.ts';
import type { MessagesRequest } from './schema.ts';

const identity = { seed: 1, tenant: 'a', channel: 'beta', n: 1, nowMs: 0 };
const noCache = { read: 0, written5m: 0, written1h: 0 };

function compose(
  reply: Reply,
  members: Partial<MessagesRequest> = {},
  changed: Partial<typeof identity> = {},
): Message {
  const request: MessagesRequest = {
    model: 'bl-4-5-20260801',
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'hi' }],
    ...members,
  };
  const model = findModel(request.model, true);
  if (model === undefined) throw new Error('no such model');
  const accepted = { request, model, blocks: promptBlocks(request) };
  return composeMessage(accepted, reply, noCache, { ...identity, ...changed });
}

const tools = ['first', 'second'].map((name) => ({
  name,
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
}));

describe('the reason to stop', () => {
  it.each<[string, Reply, Partial<MessagesRequest>, string, string | null]>([
    ['the turn ends', { text: 'one two' }, {}, 'end_turn', null],
    ['a sequence halts it', { text: 'one two' }, { stop_sequences: ['x', ' two'] }, 'stop_sequence', ' two'],
    ['the limit cuts it', { text: 'one two' }, { max_tokens: 1 }, 'max_tokens', null],
    ['it makes a call', { tool_calls: [{ name: 'f', arguments: '{}' }] }, {}, 'tool_use', null],
    ['it refuses', { text: 'No.', finish: 'content_filter' }, {}, 'refusal', null],
    ['a script says so', { text: 'one', finish: 'length' }, {}, 'max_tokens', null],
  ])('reports that %s', (_what, reply, members, stopReason, stopSequence) => {
    expect(compose(reply, members)).toMatchObject({ stopReason, stopSequence });
  });

  it('reports a full window if it is reached before the limit', () => {
    const filled = { system: 'a'.repeat(8 * 199_980), messages: [{ role: 'user' as const, content: 'hi' }] };
    const room =
      200_000 - promptBlocks({ model: 'm', ...filled }).reduce((sum, { tokens }) => sum + tokens, 0);
    expect(room).toBe(15);
    const text = 'word '.repeat(20);
    const full = compose({ text }, filled);
    expect(full).toMatchObject({
      stopReason: 'model_context_window_exceeded',
      usage: { output_tokens: room },
    });
    expect(compose({ text }, { ...filled, max_tokens: room }).stopReason).toBe('max_tokens');
    expect(compose({ text: 'short' }, filled).stopReason).toBe('end_turn');
  });
});

describe('an answer', () => {
  it('has text before calls, and arguments as an object', () => {
    const tool_calls = [
      { id: 'mine', name: 'f', arguments: '{"a":[1]}' },
      { name: 'g', arguments: 'broken' },
    ];
    expect(renderMessage(compose({ text: 'Hm.', tool_calls }))).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'bl-4-5-20260801',
      content: [
        { type: 'text', text: 'Hm.' },
        { type: 'tool_use', id: 'mine', name: 'f', input: { a: [1] } },
        { type: 'tool_use', id: expect.stringMatching(/^toolu_01\w{22}$/), name: 'g', input: {} },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
    });
  });

  it('has no block without text', () => {
    expect(renderMessage(compose({ text: '' }))).toMatchObject({ content: [], stop_reason: 'end_turn' });
    expect(renderMessage(compose({ text: 'one' }, { stop_sequences: ['one'] }))).toMatchObject({
      content: [],
    });
  });

  it('reports usage and model as scripted', () => {
    const usage = {
      prompt_tokens: 12_307,
      completion_tokens: 2,
      reasoning_tokens: 1,
      cache_write_tokens: 12_304,
    };
    expect(compose({ text: 'a b c', usage, model: 'other' })).toMatchObject({
      model: 'other',
      usage: {
        input_tokens: 3,
        cache_creation_input_tokens: 12_304,
        output_tokens: 2,
        output_tokens_details: { thinking_tokens: 1 },
      },
    });
  });

  it('makes one call if parallel calls are forbidden, unless `obey` is false', () => {
    const tool_calls = ['first', 'second'].map((name) => ({ name, arguments: '{}' }));
    const serial = { tools, tool_choice: { type: 'auto' as const, disable_parallel_tool_use: true } };
    expect(compose({ tool_calls }, serial).calls).toHaveLength(1);
    expect(compose({ tool_calls, obey: false }, serial).calls).toHaveLength(2);
    expect(compose({ tool_calls }, { tools }).calls).toHaveLength(2);
  });
});

describe('generated content', () => {
  it('depends only on the conversation and the model', () => {
    const { text } = compose({});
    expect(text).toMatch(/\.$/);
    expect(
      compose({}, { temperature: 0, tools, metadata: { user_id: 'u' } }, { tenant: 'b', n: 9 }).text,
    ).toBe(text);
    const mark = { type: 'ephemeral' as const };
    const content = [{ type: 'text' as const, text: 'hi', cache_control: mark }];
    expect(compose({}, { messages: [{ role: 'user', content }] }).text).toBe(text);
    const others = [
      compose({}, {}, { seed: 2 }),
      compose({}, { model: 'bs-4-5-20260801' }),
      compose({}, { system: 'Be brief.' }),
      compose({}, { messages: [{ role: 'user', content: 'hi!' }] }),
    ];
    expect(new Set([text, ...others.map((other) => other.text)]).size).toBe(5);
  });

  it('goes on after a prefill without repeating it', () => {
    const prefill = 'Once upon a time';
    const { text } = compose(
      {},
      {
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: prefill },
        ],
      },
    );
    expect(text).not.toBe(compose({}).text);
    expect(text).not.toContain(prefill);
  });
});
