import { describe, expect, it } from 'vitest';
import type { ChatMessage } from './request.ts';
import { countPrompt } from './usage.ts';

describe('prompt tokens', () => {
  it('count an image once, regardless of its bytes', () => {
    const withImage = (url: string): number =>
      countPrompt({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] });
    expect(withImage('https://a.example/a.png')).toBe(89);
    expect(withImage(`data:image/png;base64,${'A'.repeat(1000)}`)).toBe(89);
  });
});

it('counts name and calls of a message in the prompt', () => {
  const calls = [{ id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } }];
  const count = (extra: Partial<ChatMessage>): number =>
    countPrompt({ messages: [{ role: 'assistant', content: 'a', ...extra }] });
  expect([count({}), count({ name: 'ann' }), count({ tool_calls: calls })]).toEqual([5, 6, 8]);
});
