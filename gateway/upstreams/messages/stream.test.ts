import { describe, expect, it } from 'vitest';
import { callsIn, readPieces } from '../../testing/fake-reply.ts';
import {
  blockDelta,
  messageEnd,
  messageEvent,
  messageStart,
  messageStream,
  textBlock,
  toolBlock,
} from '../../testing/messages-upstream.ts';
import { readMessages } from '../../testing/read-messages.ts';
import type { StreamPiece } from '../outcome.ts';
import { MessageReader } from './stream.ts';

const textIn = (pieces: readonly StreamPiece[]): string =>
  pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');

const toolStart = (index: number | undefined, block: object): string =>
  messageEvent('content_block_start', { index, content_block: { type: 'tool_use', ...block } });
const fragment = (index: number, text: string): string =>
  blockDelta(index, { type: 'input_json_delta', partial_json: text });

describe('texts', () => {
  it('go out as they arrive, with the usage at the end', async () => {
    expect(await readMessages(messageStream(['Hel', 'lo']))).toEqual({
      pieces: [
        { kind: 'text', text: 'Hel' },
        { kind: 'text', text: 'lo' },
      ],
      end: {
        kind: 'end',
        finish: 'stop',
        usage: {
          promptTokens: 11,
          completionTokens: 7,
          cachedTokens: 3,
          cacheWrite5mTokens: 4,
          cacheWrite1hTokens: 1,
        },
      },
    });
  });

  const thinking = [
    messageEvent('content_block_start', {
      index: 0,
      content_block: { type: 'thinking', thinking: 'CANARY' },
    }),
    blockDelta(0, { type: 'thinking_delta', thinking: 'CANARY' }),
    blockDelta(0, { type: 'signature_delta', signature: 'CANARY' }),
    messageEvent('content_block_stop', { index: 0 }),
  ];
  it.for<[string, string[]]>([
    ['thinking before them', [messageStart, ...thinking, ...textBlock(1, ['x']), ...messageEnd()]],
    [
      'citations between them',
      messageStream(['x']).toSpliced(2, 0, blockDelta(0, { type: 'citations_delta', citation: {} })),
    ],
    [
      'blocks of unknown kinds, whatever they hold',
      [
        messageStart,
        messageEvent('content_block_start', {
          index: 0,
          content_block: { type: 'server_tool_use', name: 'n' },
        }),
        fragment(0, 'CANARY'),
        blockDelta(0, { type: 'text_delta', text: 'CANARY' }),
        messageEvent('content_block_stop', { index: 0 }),
        ...textBlock(1, ['x']),
        ...messageEnd(),
      ],
    ],
    [
      'no start of their block',
      [messageStart, blockDelta(0, { type: 'text_delta', text: 'x' }), ...messageEnd()],
    ],
    [
      'the first letters in the start',
      [
        messageStart,
        messageEvent('content_block_start', { index: 0, content_block: { type: 'text', text: 'x' } }),
        ...messageEnd(),
      ],
    ],
    ['unknown events', [messageEvent('novelty', { a: 1 }), ...messageStream(['x']), messageEvent('novelty')]],
    ['pings everywhere', messageStream(['x']).flatMap((event) => [messageEvent('ping'), event])],
    ['names of events only', messageStream(['x']).map((event) => event.replace(/"type":"[a-z_]+",?/, ''))],
    ['no names of events', messageStream(['x']).map((event) => event.replace(/^event: .*\n/, ''))],
    [
      'late blocks',
      [
        ...messageStream(['x']).slice(0, -1),
        ...textBlock(1, ['CANARY']),
        messageEvent('error'),
        messageEvent('message_stop'),
      ],
    ],
    ['no message_stop', messageStream(['x']).slice(0, -1)],
  ])('are whole with %s', async ([, events]) => {
    const { pieces, end } = await readMessages(events);
    expect(pieces).toEqual([{ kind: 'text', text: 'x' }]);
    expect(end).toMatchObject({ kind: 'end', finish: 'stop' });
  });

  it.for<[string, string]>([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'length'],
    ['tool_use', 'stop'],
    ['novelty', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
  ])('that end for %s end for %s', async ([native, ours]) => {
    expect((await readMessages(messageStream(['x'], native))).end).toMatchObject({ finish: ours });
  });

  it('end with the first stop reason', async () => {
    const events = [...messageStream(['x'], 'max_tokens').slice(0, -1), ...messageEnd('end_turn')];
    expect((await readMessages(events)).end).toMatchObject({ kind: 'end', finish: 'length' });
  });

  it('end regularly without any text, or as a policy block after a refusal', async () => {
    expect((await readMessages([messageStart, ...messageEnd()])).end).toMatchObject({
      kind: 'end',
      finish: 'stop',
    });
    expect((await readMessages([messageStart, ...messageEnd('refusal')])).end).toMatchObject({
      reason: 'policy',
    });
  });
});

describe('calls', () => {
  it.for<[string, string[], object[]]>([
    [
      'two blocks, one after the other',
      [...toolBlock(1, 'a', 'f', ['{"x', '":1}']), ...toolBlock(2, 'b', 'g', ['{}'])],
      [
        { id: 'a', name: 'f', arguments: '{"x":1}' },
        { id: 'b', name: 'g', arguments: '{}' },
      ],
    ],
    [
      'blocks that interleave, with odd indexes',
      [
        toolStart(7, { id: 'a', name: 'f' }),
        toolStart(3, { id: 'b', name: 'g' }),
        fragment(7, '{"a"'),
        fragment(3, '{"b"'),
        fragment(7, ':1}'),
        fragment(3, ':2}'),
      ],
      [
        { id: 'a', name: 'f', arguments: '{"a":1}' },
        { id: 'b', name: 'g', arguments: '{"b":2}' },
      ],
    ],
    [
      'two starts at one index, the first without an end',
      [toolStart(0, { id: 'a', name: 'f' }), fragment(0, '{}'), toolStart(0, { id: 'b', name: 'g' })],
      [
        { id: 'a', name: 'f', arguments: '{}' },
        { id: 'b', name: 'g', arguments: '{}' },
      ],
    ],
    ['no fragments', toolBlock(0, 'a', 'f', []), [{ id: 'a', name: 'f', arguments: '{}' }]],
    [
      'the whole input in the start, digits and all',
      [toolStart(0, { id: 'a', name: 'f', input: { n: 0 } }).replace('"n":0', '"n":12345678901234567890')],
      [{ id: 'a', name: 'f', arguments: '{"n":12345678901234567890}' }],
    ],
    [
      'fragments before the start',
      [fragment(0, '{"x"'), toolStart(0, { id: 'a', name: 'f', input: {} }), fragment(0, ':1}')],
      [{ id: 'a', name: 'f', arguments: '{"x":1}' }],
    ],
    [
      'no index',
      [
        toolStart(undefined, { id: 'a', name: 'f' }),
        toolStart(undefined, { id: 'b', name: 'g' }),
        messageEvent('content_block_delta', { delta: { type: 'input_json_delta', partial_json: '{"b":2}' } }),
      ],
      [
        { id: 'a', name: 'f', arguments: '{}' },
        { id: 'b', name: 'g', arguments: '{"b":2}' },
      ],
    ],
    ['no id', [toolStart(0, { name: 'f' })], [{ id: 'made-1', name: 'f', arguments: '{}' }]],
  ])('come out whole from %s', async ([, events, calls]) => {
    const { pieces, end } = await readMessages([messageStart, ...events, ...messageEnd('end_turn')]);
    expect(callsIn(pieces)).toEqual(calls);
    expect(end).toMatchObject({ kind: 'end', finish: 'tool_calls' });
  });

  it.for<[string, string]>([
    ['a call without a name', toolStart(0, { id: 'a' })],
    ['a block that is none', messageEvent('content_block_start', { index: 0, content_block: 5 })],
    ['a fragment that is no text', blockDelta(0, { type: 'input_json_delta', partial_json: 5 })],
    ['a text that is none', blockDelta(0, { type: 'text_delta', text: 5 })],
    ['no delta', messageEvent('content_block_delta', { index: 0 })],
    ['fragments of a call that never began', fragment(0, '{}')],
    ['broken JSON', 'data: {"type":\n\n'],
    ['JSON that is no object', 'data: []\n\n'],
  ])('%s makes the stream unusable', async ([, event]) => {
    const { end } = await readMessages([messageStart, event, ...messageEnd()]);
    expect(end).toMatchObject({ kind: 'failure', reason: 'unusable' });
  });
});

describe('an error in the stream', () => {
  const error = (type: string) => messageEvent('error', { error: { type, message: 'CANARY' } });

  it.for<[string, string]>([
    ['overloaded_error', 'busy'],
    ['api_error', 'server'],
    ['rate_limit_error', 'busy'],
    ['novelty', 'unusable'],
  ])('%s is a failure for %s behind the pieces before it', async ([type, reason]) => {
    const { pieces, end } = await readMessages([
      messageStart,
      ...textBlock(0, ['x']),
      error(type),
      ...messageEnd(),
    ]);
    expect(textIn(pieces)).toBe('x');
    expect(end).toMatchObject({ kind: 'failure', reason });
  });

  it('without a type is recognized by its error', async () => {
    const { end } = await readMessages(['data: {"error":{"type":"overloaded_error"}}\n\n']);
    expect(end).toMatchObject({ reason: 'busy' });
  });

  it.for(['error: ', 'event: error\ndata: '])(
    'is recognized without its wrapper behind %j',
    async (before) => {
      const { end } = await readMessages([`${before}{"type":"overloaded_error","message":"x"}\n\n`]);
      expect(end).toMatchObject({ reason: 'busy' });
    },
  );
});

describe('usage', () => {
  const finish = (usage: object) =>
    messageEvent('message_delta', { delta: { stop_reason: 'end_turn' }, usage });

  it.for<[string, string[], object | null]>([
    [
      'the last of two deltas counts, it does not add up',
      [
        messageStart,
        finish({ output_tokens: 4 }),
        messageEvent('message_delta', { usage: { output_tokens: 9 } }),
      ],
      { promptTokens: 11, completionTokens: 9 },
    ],
    [
      'later input counts stand over earlier ones, and null over none',
      [messageStart, finish({ input_tokens: 6, cache_read_input_tokens: null, output_tokens: 2 })],
      {
        promptTokens: 14,
        completionTokens: 2,
        cachedTokens: 3,
        cacheWrite5mTokens: 4,
        cacheWrite1hTokens: 1,
      },
    ],
    ['none at all is none', [messageEvent('message_delta', { delta: { stop_reason: 'end_turn' } })], null],
    [
      'output alone is in doubt',
      [finish({ output_tokens: 4 })],
      { completionTokens: 4, doubts: ['partial'] },
    ],
  ])('%s', async ([, events, usage]) => {
    const { end } = await readMessages([...events, messageEvent('message_stop')]);
    if (usage === null) expect(end).toMatchObject({ kind: 'end', usage: null });
    else expect(end).toMatchObject({ kind: 'end', usage });
  });

  it('of a broken stream is that of its start', async () => {
    const reader = new MessageReader({ textTool: null, newCallId: () => 'made', keepNative: false });
    await readPieces(reader, [Buffer.from(messageStart)]);
    expect(reader.usage()).toMatchObject({ promptTokens: 11, completionTokens: 1 });
  });
});
