import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage, Tool } from './request.ts';
import { countPrompt, renderUsage } from './usage.ts';

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

it('always renders the details and sums the total', () => {
  expect(renderUsage({ prompt_tokens: 7, completion_tokens: 5 })).toMatchObject({
    total_tokens: 12,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  });
});

it('keeps what is cached and what is thought inside the totals, and has no place for what is written', () => {
  const usage = renderUsage({
    prompt_tokens: 100,
    completion_tokens: 50,
    cached_tokens: 30,
    cache_write_tokens: 20,
    cache_write_1h_tokens: 5,
    reasoning_tokens: 40,
  });
  expect(usage).toMatchObject({
    prompt_tokens: 100,
    completion_tokens: 50,
    total_tokens: 150,
    prompt_tokens_details: { cached_tokens: 30, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 40 },
  });
  expect(JSON.stringify(usage)).not.toMatch(/write|creation/);
});

function withWord(content: ChatMessage['content']): ChatMessage['content'] {
  if (typeof content === 'string') return `${content} word`;
  return content?.map((block) => (block.type === 'text' ? { ...block, text: `${block.text} word` } : block));
}
