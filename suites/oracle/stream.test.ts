import { describe, expect, it } from 'vitest';
import {
  exchangeOf,
  type SampleAnswer,
  type SampleChunk,
  sampleChunks,
  sampleModel,
  sampleTime,
  streamOf,
  violationOf,
} from '../testing/sample-answers.ts';
import { judgeStream, type StreamedCompletion } from './stream.ts';

const expected = { requirement: 'SSE-001', aspect: 'accepts-stream', model: sampleModel };
type Chunks = ReturnType<typeof sampleChunks>;

function read(payloads: readonly unknown[], answer: SampleAnswer = {}): StreamedCompletion {
  return judgeStream(streamOf(payloads, answer), expected);
}

/** The chunks after a change, with [DONE]. */
function changed(change: (chunks: Chunks) => unknown[] | undefined): unknown[] {
  const chunks = sampleChunks();
  return [...(change(chunks) ?? chunks), '[DONE]'];
}

const choice = (chunk: SampleChunk): SampleChunk['choices'][number] =>
  chunk.choices[0] as SampleChunk['choices'][number];
const withDelta = (chunk: SampleChunk, delta: Record<string, unknown>): SampleChunk => ({
  ...chunk,
  choices: [{ index: 0, delta, finish_reason: null }],
});

describe('judgeStream', () => {
  it('assembles a conforming stream', () => {
    expect(read([...sampleChunks(), '[DONE]'])).toMatchObject({
      id: 'chatcmpl-1',
      content: 'The sea is wide.',
      fragments: ['The sea ', 'is wide.'],
      finishReason: 'stop',
      usage: { total_tokens: 15 },
      notes: [],
      advice: [],
    });
  });

  it('assembles tool calls by their index', () => {
    const chunks = changed(([role, a, b, end]) => {
      choice(end).finish_reason = 'tool_calls';
      const open = (index: number): object => ({
        index,
        id: `call-${index}`,
        type: 'function',
        function: { name: `f${index}`, arguments: '{"a"' },
      });
      const rest = (index: number): object => ({ index, function: { arguments: `:${index}}` } });
      return [
        role,
        withDelta(a, { tool_calls: [open(0), open(1)] }),
        withDelta(b, { tool_calls: [rest(1), rest(0)] }),
        end,
      ];
    });
    expect(read(chunks).toolCalls).toEqual([
      { id: 'call-0', type: 'function', function: { name: 'f0', arguments: '{"a":0}' } },
      { id: 'call-1', type: 'function', function: { name: 'f1', arguments: '{"a":1}' } },
    ]);
  });

  it.each<[string, (chunks: Chunks) => unknown[] | undefined]>([
    [
      'usage in a last chunk without choices',
      (chunks) => {
        const { usage, ...end } = chunks[3];
        return [...chunks.slice(0, 3), end, { ...end, choices: [], usage }];
      },
    ],
    ['null usage before the end', (chunks) => chunks.map((chunk) => ({ usage: null, ...chunk }))],
    [
      'text beside the role and beside the finish',
      ([role, a, b, end]) => {
        choice(end).delta = { content: 'is wide.' };
        return [
          {
            ...role,
            choices: choice(a) && [{ ...choice(a), delta: { role: 'assistant', content: 'The sea ' } }],
          },
          end,
        ].filter(() => b !== undefined);
      },
    ],
    [
      'the role in every delta',
      (chunks) => {
        for (const chunk of chunks) choice(chunk).delta.role = 'assistant';
        return undefined;
      },
    ],
    [
      'no finish_reason member before the end',
      (chunks) => {
        for (const chunk of chunks.slice(0, 3)) delete choice(chunk).finish_reason;
        return undefined;
      },
    ],
  ])('accepts %s', (_, change) => {
    expect(read(changed(change)).content).toBe('The sea is wide.');
  });

  it('notes SSE forms that differ from the literal one', () => {
    const body = `: hello\r\n\r\n${[...sampleChunks(), '[DONE]'].map((part) => `data:${typeof part === 'string' ? part : JSON.stringify(part)}\r\n\r\n`).join('')}`;
    const { content, notes } = judgeStream(exchangeOf(body, { contentType: 'text/event-stream' }), expected);
    expect(content).toBe('The sea is wide.');
    expect(notes).toEqual(['stream form: crlf', 'stream form: comment', 'stream form: no-space']);
  });

  it('advises a single value of created, and usage only once', () => {
    const chunks = changed((parts) => {
      Object.assign(parts[2], { created: sampleTime / 1000 + 1, usage: parts[3].usage });
      return undefined;
    });
    expect(read(chunks).advice.map(({ requirement }) => requirement)).toEqual(['SSE-014', 'SSE-010']);
  });

  it('rejects an event that is cut off before its blank line', () => {
    const whole = streamOf([...sampleChunks(), '[DONE]']).response?.body.toString('utf8') ?? '';
    const exchange = exchangeOf(`${whole}data: {"id"`, { contentType: 'text/event-stream' });
    expect(violationOf(() => judgeStream(exchange, expected))).toBe('SSE-002 stream-grammar');
  });
});
