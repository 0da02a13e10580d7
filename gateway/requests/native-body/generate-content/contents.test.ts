import { describe, expect, it } from 'vitest';
import { generateContentBodyOf as native } from '../../../testing/native-body.ts';
import { call, user } from '../../../testing/request-parts.ts';

const hi = { role: 'user', parts: [{ text: 'hi' }] };

describe('a conversation', () => {
  it('becomes contents of user and model, the system apart', () => {
    const messages = [
      { role: 'system', content: 'be brief' },
      user,
      { role: 'assistant', content: 'hello' },
      {
        role: 'user',
        name: 'bob',
        content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }],
      },
    ];
    expect(native({ messages })).toEqual({
      systemInstruction: { parts: [{ text: 'be brief' }] },
      contents: [hi, { role: 'model', parts: [{ text: 'hello' }] }, { role: 'user', parts: [{ text: 'a' }] }],
    });
  });

  it('of instructions alone gets a turn to answer to', () => {
    expect(native({ messages: [{ role: 'system', content: 'be brief' }] })).toEqual({
      systemInstruction: { parts: [{ text: 'be brief' }] },
      contents: [{ role: 'user', parts: [{ text: '.' }] }],
    });
  });

  it('alone of the model follows a turn of the user', () => {
    const said = { role: 'assistant', content: 'Welcome.' };
    expect(native({ messages: [said] }).contents).toEqual([
      { role: 'user', parts: [{ text: '.' }] },
      { role: 'model', parts: [{ text: 'Welcome.' }] },
    ]);
    expect(native({ messages: [said, user] }).contents[0].role).toBe('model');
  });

  it('holds no empty texts, which the dialect refuses', () => {
    const text = (content: string) => ({ type: 'text', text: content });
    const image = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
    const messages = [
      { role: 'system', content: '' },
      { role: 'user', content: '' },
      { role: 'assistant', content: '' },
      { role: 'user', content: [text(''), image, text(' ')] },
      { role: 'assistant', content: '', tool_calls: [call('a')] },
      { role: 'tool', tool_call_id: 'a', content: '' },
      { role: 'user', content: [text('')] },
    ];
    const body = native({ messages });
    expect(body).not.toHaveProperty('systemInstruction');
    expect(body.contents).toMatchObject([
      { role: 'user', parts: [{ text: '.' }] },
      { role: 'user', parts: [{ fileData: {} }, { text: ' ' }] },
      { role: 'model', parts: [{ functionCall: {} }] },
      { role: 'user', parts: [{ functionResponse: { response: { output: '' } } }] },
      { role: 'user', parts: [{ text: '.' }] },
    ]);
  });

  it('carries media as they were given, the type of a URL by its extension', () => {
    const urls = [
      'data:image/PNG;base64,AAAA',
      'data:image/jpg;base64,/9j/',
      'data:application/pdf;base64,AAA=',
      'https://example.org/film.mp4?x=1',
      'https://example.org/picture',
    ];
    const content = urls.map((url) => ({ type: 'image_url', image_url: { url, detail: 'low' } }));
    expect(native({ messages: [{ role: 'user', content }] }).contents[0].parts).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { inlineData: { mimeType: 'image/jpeg', data: '/9j/' } },
      { inlineData: { mimeType: 'application/pdf', data: 'AAA=' } },
      { fileData: { mimeType: 'video/mp4', fileUri: 'https://example.org/film.mp4?x=1' } },
      { fileData: { fileUri: 'https://example.org/picture' } },
    ]);
  });

  it('gives the results of a turn in the order of its calls, each under its own id', () => {
    const messages = [
      user,
      { role: 'assistant', content: null, tool_calls: [call('a', 'f', '{"x":1}'), call('b', 'g', '')] },
      { role: 'tool', tool_call_id: 'b', content: 'two' },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'user', content: 'and?' },
    ];
    expect(native({ messages }).contents).toEqual([
      hi,
      {
        role: 'model',
        parts: [
          {
            functionCall: { id: 'a', name: 'f', args: { x: 1 } },
            thoughtSignature: 'skip_thought_signature_validator',
          },
          { functionCall: { id: 'b', name: 'g', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'f', response: { output: 'one' } } },
          { functionResponse: { id: 'b', name: 'g', response: { output: 'two' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'and?' }] },
    ]);
  });

  it('answers every call exactly once, also when ids or results repeat', () => {
    const results = ['1', '2', '3'].map((content) => ({ role: 'tool', tool_call_id: 'a', content }));
    const tool_calls = [call('a', 'f', '{}'), call('a', 'g', '{}')];
    const { contents } = native({ messages: [user, { role: 'assistant', tool_calls }, ...results] });
    expect(contents[2].parts.map((part: { functionResponse: object }) => part.functionResponse)).toEqual([
      { id: 'a', name: 'f', response: { output: '1' } },
      { id: 'a', name: 'g', response: { output: '2\n3' } },
    ]);
  });

  it('gives signatures back where they came from', () => {
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
  ] as const)('keeps arguments that are %s readable', ([, text]) => {
    const messages = [
      user,
      { role: 'assistant', tool_calls: [call('a', 'f', text)] },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ];
    expect(native({ messages }).contents[1].parts[0].functionCall.args).toEqual({ arguments: text });
  });

  it('puts calls behind the user, whom the dialect wants before them', () => {
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

  it('survives arguments nested without end', () => {
    const text = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const messages = [
      user,
      { role: 'assistant', tool_calls: [call('a', 'f', text)] },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    ];
    expect(native({ messages }).contents[1].parts[0].functionCall.args).toEqual({ arguments: text });
  });
});
