import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callsIn } from '../../testing/fake-reply.ts';
import { readMessageStream } from '../../testing/messages-caller.ts';
import type { StreamPiece } from '../../upstreams/outcome.ts';
import { createMessageWriter } from './events.ts';

const text = fc.string({ minLength: 1, maxLength: 4 });
const texts: fc.Arbitrary<StreamPiece[]> = fc.array(
  text.map((said) => ({ kind: 'text', text: said })),
  { maxLength: 4 },
);

/** The pieces of one call, whose arguments come in fragments. */
function callPieces(index: number): fc.Arbitrary<StreamPiece[]> {
  const input = fc.dictionary(text, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 });
  return fc
    .tuple(input, fc.integer({ min: 1, max: 5 }))
    .map(([given, size]) => [
      { kind: 'tool_start', index, id: `call_${index}`, name: 'f' },
      ...(JSON.stringify(given).match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []).map(
        (fragment): StreamPiece => ({ kind: 'tool_arguments', index, text: fragment }),
      ),
    ]);
}

/** The events of one block of thinking, closed or not. */
function thinkingPieces(index: number): fc.Arbitrary<StreamPiece[]> {
  const native = (type: string, more: object): StreamPiece => ({
    kind: 'native',
    native: { type: `content_block_${type}`, index, ...more },
  });
  return fc
    .tuple(fc.array(text, { maxLength: 3 }), fc.boolean())
    .map(([thoughts, isClosed]) => [
      native('start', { content_block: { type: 'thinking', thinking: '' } }),
      ...thoughts.map((thinking) => native('delta', { delta: { type: 'thinking_delta', thinking } })),
      ...(isClosed ? [native('stop', {})] : []),
    ]);
}

/** Merges several sequences; each keeps its own order. */
function shuffled(sources: readonly (readonly StreamPiece[])[], draws: readonly number[]): StreamPiece[] {
  const left = sources.map((source) => [...source]);
  const pieces: StreamPiece[] = [];
  for (let i = 0; left.some((source) => source.length > 0); i += 1) {
    const open = left.filter((source) => source.length > 0);
    const next = open[(draws[i % draws.length] ?? 0) % open.length]?.shift();
    if (next !== undefined) pieces.push(next);
  }
  return pieces;
}

describe('the events of a stream', () => {
  it('are in order and complete, however the pieces interleave', () => {
    const calls = fc.tuple(callPieces(0), callPieces(1)).map(([one, other]) => {
      // A call starts before the next one starts.
      const [first, ...rest] = one;
      return first === undefined ? [] : [[first], rest, other];
    });
    const sources = fc.tuple(texts, thinkingPieces(7), thinkingPieces(8), calls);
    const draws = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(sources, draws, ([said, one, other, [announced = [], ...called]], order) => {
        const pieces = [...announced, ...shuffled([said, one, other, ...called], order)];
        const writer = createMessageWriter({ id: 'msg_1', created: 1, model: 'm' });
        const events =
          writer.open(null) +
          pieces.map((piece) => writer.piece(piece)).join('') +
          writer.last({ kind: 'end', finish: 'stop', usage: null });
        const { content } = readMessageStream(events).message;
        const of = (type: string) => content.filter((block: { type: string }) => block.type === type);
        expect(
          of('text')
            .map((block: { text: string }) => block.text)
            .join(''),
        ).toBe(pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join(''));
        const known = callsIn(pieces).map((call) => ({ id: call.id, input: JSON.parse(call.arguments) }));
        expect(
          of('tool_use').map(({ id, input }: { id: string; input: unknown }) => ({ id, input })),
        ).toEqual(known);
        expect(of('thinking')).toHaveLength(2);
      }),
    );
  });

  it('wait for nothing when the pieces come in order', () => {
    const writer = createMessageWriter({ id: 'msg_1', created: 1, model: 'm' });
    const pieces: StreamPiece[] = [
      { kind: 'text', text: 'a' },
      { kind: 'tool_start', index: 0, id: 'call_0', name: 'f' },
      { kind: 'tool_arguments', index: 0, text: '{"a":1}' },
      { kind: 'tool_start', index: 1, id: 'call_1', name: 'g' },
      { kind: 'tool_arguments', index: 1, text: '{}' },
    ];
    const events = pieces.map((piece) => writer.piece(piece).match(/(?<="type":"content_block_)\w+/g));
    expect(events).toEqual([['start', 'delta'], ['stop', 'start'], ['delta'], ['stop', 'start'], null]);
  });
});
