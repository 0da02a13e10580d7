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

  it('notes forms of SSE other than the literal one', () => {
    const body = `: hello\r\n\r\n${[...sampleChunks(), '[DONE]'].map((part) => `data:${typeof part === 'string' ? part : JSON.stringify(part)}\r\n\r\n`).join('')}`;
    const { content, notes } = judgeStream(exchangeOf(body, { contentType: 'text/event-stream' }), expected);
    expect(content).toBe('The sea is wide.');
    expect(notes).toEqual(['stream form: crlf', 'stream form: comment', 'stream form: no-space']);
  });

  it('advises one value of created, and usage only once', () => {
    const chunks = changed((parts) => {
      Object.assign(parts[2], { created: sampleTime / 1000 + 1, usage: parts[3].usage });
      return undefined;
    });
    expect(read(chunks).advice.map(({ requirement }) => requirement)).toEqual(['SSE-014', 'SSE-010']);
  });

  it.each<[string, string, (chunks: Chunks) => unknown[] | undefined]>([
    [
      'the object of a plain answer',
      'SSE-003 chunk-shape',
      (chunks) => void Object.assign(chunks[1], { object: 'chat.completion' }),
    ],
    [
      'a chunk without choices member',
      'SSE-004 chunk-shape',
      (chunks) => void Reflect.deleteProperty(chunks[1], 'choices'),
    ],
    [
      'a choice without index',
      'SSE-004 chunk-shape',
      (chunks) => void Reflect.deleteProperty(choice(chunks[1]), 'index'),
    ],
    [
      'a choice without delta',
      'SSE-004 chunk-shape',
      (chunks) => void Reflect.deleteProperty(choice(chunks[1]), 'delta'),
    ],
    [
      'no choices in the middle',
      'SSE-004 choices-in-chunk',
      (chunks) => void Object.assign(chunks[1], { choices: [] }),
    ],
    [
      'an index from 1',
      'RESP-007 index-from-zero',
      (chunks) => void chunks.map((chunk) => Object.assign(choice(chunk), { index: 1 })),
    ],
    [
      'no role',
      'SSE-005 role-first',
      (chunks) => void Reflect.deleteProperty(choice(chunks[0]).delta, 'role'),
    ],
    [
      'another role',
      'SSE-005 chunk-shape',
      (chunks) => void Object.assign(choice(chunks[0]).delta, { role: 'user' }),
    ],
    [
      'content that is no text',
      'SSE-006 chunk-shape',
      (chunks) => void Object.assign(choice(chunks[1]).delta, { content: ['The sea '] }),
    ],
    [
      'no usage at the end',
      'SSE-009 usage-on-final-chunk',
      (chunks) => void Reflect.deleteProperty(chunks[3], 'usage'),
    ],
    [
      'usage of the wrong type',
      'SSE-009 chunk-shape',
      (chunks) => void Object.assign(chunks[3], { usage: { total_tokens: 1 } }),
    ],
    [
      'a total that is no sum',
      'RESP-020 total-is-sum',
      (chunks) => void Object.assign(chunks[3].usage as object, { total_tokens: 99 }),
    ],
    [
      'no finish_reason',
      'SSE-012 finish-once',
      (chunks) => void Object.assign(choice(chunks[3]), { finish_reason: null }),
    ],
    [
      'two finish_reasons',
      'SSE-012 finish-once',
      (chunks) => void Object.assign(choice(chunks[2]), { finish_reason: 'stop' }),
    ],
    [
      'a finish_reason in the middle',
      'SSE-012 finish-last',
      (chunks) => {
        Object.assign(choice(chunks[1]), { finish_reason: 'stop' });
        return void Object.assign(choice(chunks[3]), { finish_reason: null });
      },
    ],
    [
      'a native finish_reason',
      'SSE-012 chunk-shape',
      (chunks) => void Object.assign(choice(chunks[3]), { finish_reason: 'eos' }),
    ],
    ['ids that differ', 'SSE-013 one-id', (chunks) => void Object.assign(chunks[2], { id: 'chatcmpl-2' })],
    ['a missing id', 'SSE-013 chunk-shape', (chunks) => void Reflect.deleteProperty(chunks[2], 'id')],
    [
      'a later chunk of another model',
      'RESP-004 served-model',
      (chunks) => void Object.assign(chunks[2], { model: 'a52' }),
    ],
    [
      'created in milliseconds',
      'RESP-003 created-now',
      (chunks) => void chunks.map((chunk) => Object.assign(chunk, { created: sampleTime })),
    ],
    [
      'an error event',
      'SSE-003 no-error-event',
      (chunks) => [...chunks.slice(0, 2), { error: { type: 'api_error' } }],
    ],
    [
      'a data line that is no JSON',
      'SSE-002 payload-json',
      (chunks) => [chunks[0], '{"id":', ...chunks.slice(1)],
    ],
    [
      'a second id for a call',
      'TOOL-018 fragments-reassemble',
      ([role, a, b, end]) => {
        const fragment = { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{' } }] };
        return [role, withDelta(a, fragment), withDelta(b, fragment), end];
      },
    ],
  ])('refuses %s', (_, violation, change) => {
    expect(violationOf(() => read(changed(change)))).toBe(violation);
  });

  it.each<[string, string, unknown[], SampleAnswer]>([
    ['a stream without [DONE]', 'SSE-008 done-last-once', [...sampleChunks()], {}],
    ['a second [DONE]', 'SSE-008 done-last-once', [...sampleChunks(), '[DONE]', '[DONE]'], {}],
    [
      'a chunk after [DONE]',
      'SSE-008 done-last-once',
      [...sampleChunks().slice(0, 3), '[DONE]', sampleChunks()[3]],
      {},
    ],
    [
      'an answer that stays open',
      'SSE-008 ends-after-done',
      [...sampleChunks(), '[DONE]'],
      { complete: false },
    ],
    [
      'another content type',
      'SSE-001 stream-content-type',
      [...sampleChunks(), '[DONE]'],
      { contentType: 'text/plain' },
    ],
    ['a refusal', 'SSE-001 accepts-stream', ['{}'], { status: 400 }],
    ['nothing at all', 'SSE-008 done-last-once', [], {}],
  ])('refuses %s', (_, violation, payloads, answer) => {
    expect(violationOf(() => read(payloads, answer))).toBe(violation);
  });

  it('refuses an event that is cut off before its blank line', () => {
    const whole = streamOf([...sampleChunks(), '[DONE]']).response?.body.toString('utf8') ?? '';
    const exchange = exchangeOf(`${whole}data: {"id"`, { contentType: 'text/event-stream' });
    expect(violationOf(() => judgeStream(exchange, expected))).toBe('SSE-002 stream-grammar');
  });
});
