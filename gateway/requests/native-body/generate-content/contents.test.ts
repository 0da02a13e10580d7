import { describe, expect, it } from 'vitest';
import { generateContentBodyOf as native } from '../../../testing/native-body.ts';
import { call, user } from '../../../testing/request-parts.ts';

describe('a conversation', () => {
  it('answers every call exactly once, also when ids or results repeat', () => {
    const results = ['1', '2', '3'].map((content) => ({ role: 'tool', tool_call_id: 'a', content }));
    const tool_calls = [call('a', 'f', '{}'), call('a', 'g', '{}')];
    const { contents } = native({ messages: [user, { role: 'assistant', tool_calls }, ...results] });
    expect(contents[2].parts.map((part: { functionResponse: object }) => part.functionResponse)).toEqual([
      { id: 'a', name: 'f', response: { output: '1' } },
      { id: 'a', name: 'g', response: { output: '2\n3' } },
    ]);
  });

  it('returns signatures with their original parts', () => {
    const signed = { extra_content: { thought_signature: 'c2ln' } };
    const tool_calls = [{ ...call('a'), ...signed }, call('b')];
    const results = ['a', 'b'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'x' }));
    const messages = [user, { role: 'assistant', content: 'well', tool_calls }, ...results];
    const { parts } = native({ messages }).contents[1];
    expect(parts[0]).toEqual({ text: 'well' });
    expect(parts.slice(1).map((part: { thoughtSignature?: string }) => part.thoughtSignature)).toEqual([
      'c2ln',
      undefined,
    ]);
  });

  it('gives the signature of a turn to its first call, unless that has one of its own', () => {
    const ofTurn = { extra_content: { thought_signature: 'dHVybg==' } };
    const results = ['a', 'b'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'x' }));
    const signaturesOf = (first: object): unknown[] => {
      const turn = { role: 'assistant', tool_calls: [{ ...call('a'), ...first }, call('b')], ...ofTurn };
      const { parts } = native({ messages: [user, turn, ...results] }).contents[1];
      return parts.map((part: { thoughtSignature?: string }) => part.thoughtSignature);
    };
    expect(signaturesOf({})).toEqual(['dHVybg==', undefined]);
    expect(signaturesOf({ extra_content: { thought_signature: 'c2ln' } })).toEqual(['c2ln', undefined]);
  });

  it.for([
    ['no JSON', '{"x":'],
    ['a list', '[1]'],
    ['a number', '5'],
  ] as const)('wraps arguments that are %s in an object', ([, text]) => {
    const messages = [
      user,
      { role: 'assistant', tool_calls: [call('a', 'f', text)] },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ];
    expect(native({ messages }).contents[1].parts[0].functionCall.args).toEqual({ arguments: text });
  });

  it('puts calls directly after a user turn, as the dialect requires', () => {
    const called = { role: 'assistant', tool_calls: [call('a', 'f', '{}')] };
    const result = { role: 'tool', tool_call_id: 'a', content: 'x' };
    const turns = (messages: object[]): string[] =>
      native({ messages }).contents.map(
        ({ role, parts }: { role: string; parts: object[] }) =>
          `${role}: ${parts.map((part) => Object.keys(part)[0]).join(' ')}`,
      );
    const said = { role: 'assistant', content: 'well' };
    expect(turns([user, said, called, result])).toEqual([
      'user: text',
      'model: text functionCall',
      'user: functionResponse',
    ]);
    expect(turns([called, result, said])).toEqual([
      'user: text',
      'model: functionCall',
      'user: functionResponse',
      'model: text',
    ]);
  });

  it('handles deeply nested arguments', () => {
    const text = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const messages = [
      user,
      { role: 'assistant', tool_calls: [call('a', 'f', text)] },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ];
    expect(native({ messages }).contents[1].parts[0].functionCall.args).toEqual({ arguments: text });
  });
});
