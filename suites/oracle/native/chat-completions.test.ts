import { expect, test } from 'vitest';
import { dialectOf, dialectOfPath, isCountingCall } from './dialects.ts';
import { readCaller, readNative } from './read.ts';
import { mediaOf, textOf } from './view.ts';

test('reads a string as one text block, one stop text as a list of one, and the developer turn as system text', () => {
  const view = readNative(
    '/alpha/v1/chat/completions',
    JSON.stringify({
      model: 'a52-2026-08-07',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{ "n": 1.0 }' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'salt water' },
      ],
      stop: 'END',
      max_completion_tokens: 9,
      response_format: { type: 'text' },
    }),
  );
  expect(view?.turns.map((turn) => turn.role)).toEqual(['user', 'assistant', 'tool']);
  expect(view && textOf({ parts: view.system })).toBe('Be brief.');
  expect(view?.turns[0] && textOf(view.turns[0])).toBe('ab');
  expect(view?.turns[1]?.calls[0]).toMatchObject({ id: 'c1', arguments: { n: 1 } });
  expect(view?.turns[2]?.result).toMatchObject({ callId: 'c1', value: 'salt water' });
  expect(view?.fields).toMatchObject({ stop: ['END'], max_tokens: 9, response_format: null });
});

test('reads a data URI as bytes and media type, and keeps the place of hints', () => {
  const view = readCaller({
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'image_url',
            image_url: { url: 'data:image/png;base64,iVBORw==' },
            cache_control: { type: 'ephemeral', ttl: '1h' },
          },
          { type: 'text', text: 'What is it?' },
        ],
      },
    ],
  });
  expect(mediaOf(view.turns[0] ?? { parts: [] })[0]).toMatchObject({
    mime: 'image/png',
    base64: 'iVBORw==',
    url: null,
    cache: { type: 'ephemeral', ttl: '1h' },
  });
  expect(view.hints).toEqual([{ place: 'messages[0].content[0]', type: 'ephemeral', ttl: '1h' }]);
});

test('reads a body that is not JSON as an empty request', () => {
  expect(readNative('/alpha/v1/chat/completions', '{"model":')).toMatchObject({ model: null, turns: [] });
});

test("the family determines a model's dialect, and the path that of a request", () => {
  expect(['delta-3', 'beta-small-4-5', 'gamma-3-pro', 'unheard-of'].map(dialectOf)).toEqual([
    'chat-completions',
    'messages',
    'generate-content',
    'chat-completions',
  ]);
  expect(dialectOfPath('/l/gamma/v1beta/models/g:streamGenerateContent?alt=sse')).toBe('generate-content');
  expect(dialectOfPath('/l/beta/v1/messages?beta=true')).toBe('messages');
  expect(dialectOfPath('/l/beta/v1/files')).toBeNull();
});

test('recognizes only token-counting calls as counting calls', () => {
  expect(isCountingCall('/l/beta/v1/messages/count_tokens')).toBe(true);
  expect(isCountingCall('/l/gamma/v1beta/models/g:countTokens?key=k')).toBe(true);
  expect(isCountingCall('/l/beta/v1/messages')).toBe(false);
  expect(isCountingCall('/l/gamma/v1beta/models/countTokens:generateContent')).toBe(false);
});
