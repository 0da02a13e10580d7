import { describe, expect, it } from 'vitest';
import { countPrompt, promptBlocks } from './prompt-blocks.ts';
import type { CountRequest, Turn } from './schema.ts';

const tokensOf = (request: CountRequest): number => countPrompt(promptBlocks(request));
const one: CountRequest = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

describe('prompt tokens', () => {
  it('are 4 for a message plus its words, as a string or as blocks', () => {
    expect(tokensOf(one)).toBe(5);
    expect(tokensOf({ ...one, messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] })).toBe(
      5,
    );
    expect(tokensOf({ ...one, system: 'two words' })).toBe(7);
  });

  it('count calls, results and text documents by their text, and media once', () => {
    const count = (...content: Exclude<Turn['content'], string>): number =>
      tokensOf({ ...one, messages: [{ role: 'user', content }] });
    expect(count({ type: 'tool_use', id: 'c', name: 'f', input: {} })).toBe(7);
    expect(count({ type: 'tool_result', tool_use_id: 'c', content: 'two words' })).toBe(6);
    const inner = { type: 'text' as const, text: 'two words' };
    expect(count({ type: 'tool_result', tool_use_id: 'c', content: [inner] })).toBe(6);
    const source = { type: 'text' as const, media_type: 'text/plain' as const, data: 'two words' };
    expect(count({ type: 'document', source })).toBe(6);
    expect(count({ type: 'video', source: { type: 'url', url: 'https://a.example/a.mp4' } })).toBe(89);
  });

  it('exclude cache hints, which do not change a block either', () => {
    const mark = { type: 'ephemeral' as const, ttl: '1h' as const };
    const block = { type: 'text' as const, text: 'a' };
    const result = (inner: object): Turn['content'] => [
      { type: 'tool_result', tool_use_id: 'c', content: [{ ...block, ...inner }] },
    ];
    const blocksWith = (given: object): ReturnType<typeof promptBlocks> =>
      promptBlocks({
        model: 'm',
        tools: [{ name: 'f', input_schema: { type: 'object' }, ...given }],
        system: [{ ...block, ...given }],
        messages: [
          { role: 'user', content: [{ ...block, ...given }] },
          { role: 'user', content: result(given) },
        ],
      });
    const [bare, marked] = [blocksWith({}), blocksWith({ cache_control: mark })];
    expect(marked.map(({ ttl }) => ttl)).toEqual(['1h', '1h', '1h', '1h']);
    expect(marked.map((one) => ({ ...one, ttl: null }))).toEqual(bare);
    expect(bare.map(({ part }) => part)).toEqual(['tools', 'system', 'messages', 'messages']);
  });
});

it('moves a cache hint of the request to the end of the prompt, if none is there', () => {
  const turn = (mark?: object): CountRequest => ({
    model: 'm',
    cache_control: { type: 'ephemeral', ttl: '1h' },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b', ...mark },
        ],
      },
    ],
  });
  expect(promptBlocks(turn()).map(({ ttl }) => ttl)).toEqual([null, '1h']);
  const marked = turn({ cache_control: { type: 'ephemeral' } });
  expect(promptBlocks(marked).map(({ ttl }) => ttl)).toEqual([null, '5m']);
});
