import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage, Tool } from './request.ts';
import { countPrompt } from './usage.ts';

const message: fc.Arbitrary<ChatMessage> = fc.record({
  role: fc.constantFrom('system', 'user', 'assistant'),
  content: fc.oneof(
    fc.string(),
    fc.array(fc.record({ type: fc.constant('text' as const), text: fc.string() }), { minLength: 1 }),
  ),
});
const tool: fc.Arbitrary<Tool> = fc.record({
  type: fc.constant('function' as const),
  function: fc.record({ name: fc.stringMatching(/^[a-z]{1,10}$/), description: fc.string() }),
});
const prompt = fc.record({
  messages: fc.array(message, { minLength: 1, maxLength: 6 }),
  tools: fc.array(tool, { maxLength: 3 }),
});

describe('prompt tokens', () => {
  it('grow with one more message, even an empty one', () => {
    fc.assert(
      fc.property(prompt, fc.nat(), ({ messages, tools }, at) => {
        const longer = messages.toSpliced(at % (messages.length + 1), 0, { role: 'user', content: '' });
        expect(countPrompt({ messages: longer, tools })).toBeGreaterThan(countPrompt({ messages, tools }));
      }),
    );
  });

  it('grow with one more word in any message', () => {
    fc.assert(
      fc.property(prompt, fc.nat(), ({ messages, tools }, place) => {
        const at = place % messages.length;
        const longer = messages.map((one, index) =>
          index === at ? { ...one, content: withWord(one.content) } : one,
        );
        expect(countPrompt({ messages: longer, tools })).toBeGreaterThan(countPrompt({ messages, tools }));
      }),
    );
  });

  it('grow with one more tool', () => {
    fc.assert(
      fc.property(prompt, tool, ({ messages, tools }, added) => {
        const more = countPrompt({ messages, tools: [...tools, added] });
        expect(more).toBeGreaterThan(countPrompt({ messages, tools: tools.length === 0 ? null : tools }));
      }),
    );
  });

  it('count an image by its presence and not by its bytes', () => {
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

function withWord(content: ChatMessage['content']): ChatMessage['content'] {
  if (typeof content === 'string') return `${content} word`;
  return content?.map((block) => (block.type === 'text' ? { ...block, text: `${block.text} word` } : block));
}
