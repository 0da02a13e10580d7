import { describe, expect, it } from 'vitest';
import { everySplit, readPieces, replyOf } from '../testing/fake-reply.ts';
import { delta, frames, usageFrame } from '../testing/fake-upstream.ts';
import {
  blockDelta,
  messageEnd,
  messageEvent,
  messageStart,
  textBlock,
  toolBlock,
} from '../testing/messages-upstream.ts';
import { ChunkReader } from './chat-completions/stream.ts';
import { MessageReader } from './messages/stream.ts';
import { type EventReader, NativeStream } from './native-stream.ts';
import { failure } from './outcome.ts';

const sampleTexts = ['aé', '€😀', '\ud83d', ' "quoted"\n\r\n\u2028', ''];
const part = (fields: object): string => delta({ tool_calls: [{ index: 0, ...fields }] });

/** A stream in each dialect with text, a call and every kind of line. */
const streams: readonly [name: string, reader: () => EventReader, events: string][] = [
  [
    'chat-completions',
    () => new ChunkReader(() => 'made'),
    [
      ...frames(sampleTexts).slice(0, -3),
      ': comment ü\r\n\r\n',
      part({ id: 'a', function: { name: 'f', arguments: '' } }),
      part({ function: { arguments: '{"ü":"😀' } }).replaceAll('\n', '\r\n'),
      part({ function: { arguments: '"}' } }),
      delta({}, 'tool_calls').replaceAll('\n', '\r'),
      usageFrame,
      'data: [DONE]\n\n',
    ].join(''),
  ],
  [
    'messages',
    () => new MessageReader({ textTool: null, newCallId: () => 'made', keepNative: false }),
    [
      messageStart,
      messageEvent('ping').replaceAll('\n', '\r'),
      ...textBlock(0, sampleTexts),
      ': comment ü\r\n\r\n',
      ...toolBlock(1, 'a', 'f', ['{"ü":"😀', '"}']),
      ...messageEnd('tool_use').map((event) => event.replaceAll('\n', '\r\n')),
    ].join(''),
  ],
];

describe.each(streams)('a stream in the %s dialect', (_name, reader, events) => {
  const bytes = Buffer.from(events);

  it('gives the same result for any split of its bytes, even within characters', async () => {
    const whole = await readPieces(reader(), [bytes]);
    const said = whole.pieces.flatMap((piece) => (piece.kind === 'text' ? piece.text : []));
    expect(said.join('')).toBe(sampleTexts.join(''));
    expect(whole.pieces.slice(-3)).toEqual([
      { kind: 'tool_start', index: 0, id: 'a', name: 'f' },
      { kind: 'tool_arguments', index: 0, text: '{"ü":"😀' },
      { kind: 'tool_arguments', index: 0, text: '"}' },
    ]);
    expect(whole.end).toMatchObject({ kind: 'end', finish: 'tool_calls', usage: { promptTokens: 11 } });
    for (const split of everySplit(bytes)) expect(await readPieces(reader(), split)).toEqual(whole);
  });

  it('is complete without its end mark, even when the connection breaks there', async () => {
    const marker = events.lastIndexOf('data:');
    const named = events.lastIndexOf('event:');
    const cut = Buffer.from(events.slice(0, named > 0 ? Math.min(named, marker) : marker));
    const whole = await readPieces(reader(), [bytes]);
    expect(await readPieces(reader(), [cut])).toEqual(whole);
    expect(await readPieces(reader(), [cut], failure('connection', 'reset'))).toEqual(whole);
  });

  it('fails after its pieces when it ends or breaks before its finish reason', async () => {
    const begun = bytes.subarray(0, bytes.indexOf('comment'));
    expect(await readPieces(reader(), [begun])).toMatchObject({
      pieces: { length: 4 },
      end: { kind: 'failure', reason: 'unusable' },
    });
    const broken = await readPieces(reader(), [begun], failure('connection', 'reset'));
    expect(broken.end).toMatchObject({ kind: 'failure', reason: 'connection' });
  });

  it('keeps ten thousand tiny texts, or one of a megabyte, complete', async () => {
    const text = 'ü'.repeat(500_000);
    const tiny = Array.from({ length: 10_000 }, (_, i) => String(i % 10));
    const isMessages = events.includes('message_start');
    for (const texts of [[text], tiny]) {
      const parts = isMessages
        ? [
            messageStart,
            ...texts.map((one) => blockDelta(0, { type: 'text_delta', text: one })),
            ...messageEnd(),
          ]
        : frames(texts);
      const { pieces } = await readPieces(reader(), [Buffer.from(parts.join(''))]);
      expect(pieces).toHaveLength(texts.length);
      expect(pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')).toBe(texts.join(''));
    }
  });
});

it.for<[what: string, missing: number, hurried: boolean]>([
  ['its mark alone', 1, true],
  ['its mark and its counts', 2, false],
])('a stream that lacks %s is waited for as long as it may matter', async ([, missing, hurried]) => {
  const sent = frames(['Hi'])
    .slice(0, -missing)
    .map((one) => Buffer.from(one));
  const waits: number[] = [];
  const reply = {
    ...replyOf(sent, failure('timeout', 'silent')),
    hurry: (ms: number) => void waits.push(ms),
  };
  const stream = new NativeStream(reply, new ChunkReader(() => 'made'));
  let step = await stream.next();
  while (step.kind === 'pieces') step = await stream.next();
  expect(step).toMatchObject({ kind: 'end', finish: 'stop' });
  expect(waits.length > 0).toBe(hurried);
});
