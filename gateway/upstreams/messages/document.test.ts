import { describe, expect, it } from 'vitest';
import { callsIn } from '../../testing/fake-reply.ts';
import { messageEnd, messageStart, textBlock, toolBlock } from '../../testing/messages-upstream.ts';
import { readMessages } from '../../testing/read-messages.ts';
import type { StreamPiece } from '../outcome.ts';

const textIn = (pieces: readonly StreamPiece[]): string =>
  pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');

describe('a document', () => {
  const document = (index: number, ...parts: string[]) => toolBlock(index, 'd', 'json', parts);
  const call = toolBlock(5, 'a', 'f', ['{"x":1}']);

  it.for<[string, string[], string, object[]]>([
    ['fragments', document(0, '{"a"', ':1}'), '{"a":1}', []],
    ['no fragments', document(0), '{}', []],
    [
      'talk beside it',
      [...textBlock(0, ['Here:']), ...document(1, '{}'), ...textBlock(2, ['Done.'])],
      '{}',
      [],
    ],
    ['a second document', [...document(0, '{"a":1}'), ...document(1, '{"b":2}')], '{"a":1}', []],
    [
      'a call beside it',
      [...document(0, '{}'), ...call],
      '{}',
      [{ id: 'a', name: 'f', arguments: '{"x":1}' }],
    ],
    ['a call in its place', call, '', [{ id: 'a', name: 'f', arguments: '{"x":1}' }]],
    ['words in its place', textBlock(0, ['I ', 'refuse.']), 'I refuse.', []],
  ])('that comes as %s is the text', async ([, events, text, calls]) => {
    const { pieces, end } = await readMessages([messageStart, ...events, ...messageEnd('tool_use')], 'json');
    expect(textIn(pieces)).toBe(text);
    expect(callsIn(pieces)).toEqual(calls);
    expect(end).toMatchObject({ kind: 'end', finish: calls.length > 0 ? 'tool_calls' : 'stop' });
  });
});
