import { describe, expect, it } from 'vitest';
import {
  blockDelta,
  messageEnd,
  messageEvent,
  messageStart,
  textBlock,
  toolBlock,
} from '../../testing/messages-upstream.ts';
import { readMessages } from '../../testing/read-messages.ts';

describe('native-only content', () => {
  const block = (index: number, text: string): string[] => [
    messageEvent('content_block_start', { index, content_block: { type: 'thinking', thinking: '', n: 0 } }),
    blockDelta(index, { type: 'thinking_delta', thinking: text }),
    messageEvent('content_block_stop', { index }),
  ];
  const native = (type: string, index: number, more: object = {}) => ({
    kind: 'native',
    native: { type: `content_block_${type}`, index, ...more },
  });
  const citation = { type: 'citations_delta', citation: { at: 1 } };
  const events = [
    messageStart,
    ...block(0, 'hm'),
    ...textBlock(3, ['x']).toSpliced(2, 0, blockDelta(3, citation)),
    ...toolBlock(4, 'toolu_1', 'f', ['{}']),
    ...messageEnd('tool_use'),
  ];

  it("is passed on in order when requested, under the gateway's index, with ending and counts", async () => {
    const { pieces, end } = await readMessages(events, null, true);
    expect(pieces).toEqual([
      native('start', 0, { content_block: { type: 'thinking', thinking: '', n: 0 } }),
      native('delta', 0, { delta: { type: 'thinking_delta', thinking: 'hm' } }),
      native('stop', 0),
      { kind: 'text', text: 'x' },
      native('delta', 1, { delta: citation }),
      native('stop', 1),
      { kind: 'tool_start', index: 0, id: 'toolu_1', name: 'f' },
      { kind: 'tool_arguments', index: 0, text: '{}' },
    ]);
    expect(end).toMatchObject({
      native: { stop_reason: 'tool_use', stop_sequence: null, usage: { input_tokens: 3, output_tokens: 7 } },
    });
  });

  it('keeps the digits of its numbers', async () => {
    const given = events.map((event) => event.replace('"n":0', '"n":12345678901234567890'));
    const { pieces } = await readMessages(given, null, true);
    expect(JSON.stringify(pieces[0])).toContain('"n":12345678901234567890');
  });

  it('is omitted for callers of other dialects', async () => {
    const { pieces, end } = await readMessages(events);
    expect(pieces.map(({ kind }) => kind)).toEqual(['text', 'tool_start', 'tool_arguments']);
    expect(end).not.toHaveProperty('native');
  });

  it('ends where its block ends or restarts', async () => {
    const again = [
      ...block(0, 'a').slice(0, 2),
      ...block(0, 'b'),
      blockDelta(0, { type: 'thinking_delta', thinking: 'c' }),
    ];
    const { pieces } = await readMessages(
      [messageStart, ...again, ...textBlock(1, ['x']), ...messageEnd()],
      null,
      true,
    );
    expect(
      pieces.flatMap((piece) =>
        piece.kind === 'native' ? [`${piece.native.type} ${piece.native.index}`] : [],
      ),
    ).toEqual([
      ...['start', 'delta', 'stop'].map((name) => `content_block_${name} 0`),
      ...['start', 'delta', 'stop'].map((name) => `content_block_${name} 1`),
      'content_block_stop 2',
    ]);
  });
});
