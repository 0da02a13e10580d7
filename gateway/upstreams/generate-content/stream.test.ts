import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replyOf } from '../../testing/fake-reply.ts';
import { generateError, generateEvent, response } from '../../testing/generate-content-upstream.ts';
import { createEventParser } from '../event-parser.ts';
import { NativeStream } from '../native-stream.ts';
import type { StreamPiece, StreamStep } from '../outcome.ts';
import { createArrayParser } from './array-parser.ts';
import { FunctionCalls } from './function-calls.ts';
import { ResponseReader } from './stream.ts';

interface Reading {
  readonly pieces: readonly StreamPiece[];
  readonly end: StreamStep;
}

/** Reads a whole stream whose bytes come in these pieces. */
async function read(pieces: readonly Uint8Array[], parser = createEventParser): Promise<Reading> {
  let made = 0;
  const stream = new NativeStream(
    replyOf(pieces),
    new ResponseReader(new FunctionCalls(() => `made-${++made}`)),
    parser,
  );
  const read: StreamPiece[] = [];
  for (;;) {
    const step = await stream.next();
    if (step.kind !== 'pieces') return { pieces: joined(read), end: step };
    read.push(...step.pieces);
  }
}

/** Neighbouring texts as one: where a text is cut says nothing. */
function joined(pieces: readonly StreamPiece[]): StreamPiece[] {
  const whole: StreamPiece[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text')
      whole[whole.length - 1] = { kind: 'text', text: last.text + piece.text };
    else whole.push(piece);
  }
  return whole;
}

const readEvents = (...bodies: unknown[]): Promise<Reading> =>
  read([Buffer.from(bodies.map(generateEvent).join(''))]);

const call = (name: string, args: object | null, more: object = {}) => ({
  functionCall: { name, ...(args !== null && { args }) },
  ...more,
});

const testUsage = {
  promptTokens: 11,
  completionTokens: 7,
  cachedTokens: 3,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  reasoningTokens: 2,
};

describe('a stream of responses', () => {
  it('becomes texts, whole calls, one reason and the last count', async () => {
    const first = { ...response(['Hé']), usageMetadata: { promptTokenCount: 11 } };
    const reading = await readEvents(
      first,
      response([{ text: 'hidden', thought: true }, 'llo 😀']),
      response([call('f', { a: 1 }, { thoughtSignature: 'c2ln' }), call('g', null)]),
      response([''], 'STOP'),
    );
    expect(reading).toEqual({
      pieces: [
        { kind: 'text', text: 'Héllo 😀' },
        { kind: 'tool_start', index: 0, id: 'made-1', name: 'f', thoughtSignature: 'c2ln' },
        { kind: 'tool_arguments', index: 0, text: '{"a":1}' },
        { kind: 'tool_start', index: 1, id: 'made-2', name: 'g' },
        { kind: 'tool_arguments', index: 1, text: '{}' },
      ],
      end: { kind: 'end', finish: 'tool_calls', usage: testUsage },
    });
  });

  it('keeps the ids that the upstream gives, once each', async () => {
    const twice = [call('f', {}), call('g', {}), call('h', {})].map((part, i) => ({
      functionCall: { ...part.functionCall, id: i < 2 ? 'same' : 'own' },
    }));
    const { pieces } = await readEvents(response(twice, 'STOP'));
    const ids = pieces.flatMap((piece) => (piece.kind === 'tool_start' ? [piece.id] : []));
    expect(ids).toEqual(['same', 'made-1', 'own']);
  });

  it('keeps the digits of arguments', async () => {
    const text = '{"n":12345678901234567890,"e":1e-7,"f":0.1234567890123456789}';
    const event = generateEvent(response([call('f', { here: 0 })], 'STOP')).replace('{"here":0}', text);
    const { pieces } = await read([Buffer.from(event)]);
    expect(pieces.at(-1)).toEqual({ kind: 'tool_arguments', index: 0, text });
  });

  it('is the same however its bytes are split', async () => {
    const text = [
      generateEvent(response(['a "quoted" ä€😀\n'])).replaceAll('\r\n', '\n'),
      generateEvent(response([call('f', { deep: [{ text: 'x}{"[😀' }] })])),
      ': a comment\r\n\r\n',
      generateEvent(response(['b'], 'STOP')),
    ].join('');
    const bytes = Buffer.from(text);
    const whole = await read([bytes]);
    expect(whole.end.kind).toBe('end');
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(await read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
    }
    expect(await read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  it('is the same as a JSON array, however its bytes are split', async () => {
    const responses = [
      response(['a "\\" ]}{[ ä€😀']),
      response([call('f', { x: ['}'] })]),
      response(['b'], 'STOP'),
    ];
    const whole = await readEvents(...responses);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(0, 2), fc.array(fc.nat(), { maxLength: 40 }), async (indent, cuts) => {
        const bytes = Buffer.from(JSON.stringify(responses, null, indent));
        const places = [0, ...cuts.map((cut) => cut % bytes.length), bytes.length].toSorted((a, b) => a - b);
        const pieces = places.slice(1).map((place, i) => bytes.subarray(places[i], place));
        expect(await read(pieces, createArrayParser)).toEqual(whole);
      }),
    );
  });

  it('does not wait for a connection that stays open when reason and count have come', async () => {
    const reader = new ResponseReader(new FunctionCalls(() => 'x'));
    const [text, last] = [response(['a']), response([], 'STOP')].map((body) => JSON.stringify(body));
    expect(reader.take({ name: '', data: text ?? '' }, [])).toBeNull();
    expect(reader.take({ name: '', data: last ?? '' }, [])).toEqual({
      kind: 'end',
      finish: 'stop',
      usage: testUsage,
    });
  });

  it('waits for a count that comes after the reason', async () => {
    const reading = await readEvents(
      { ...response(['a'], 'STOP'), usageMetadata: undefined },
      { usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 1 } },
    );
    expect(reading.end).toMatchObject({ kind: 'end', usage: { promptTokens: 4, completionTokens: 1 } });
  });

  it('drops what comes after the reason', async () => {
    const late = { ...response(['late']), usageMetadata: undefined };
    const reading = await readEvents(
      { ...response(['a']), usageMetadata: undefined },
      { ...response([], 'STOP'), usageMetadata: undefined },
      late,
      generateError(500, 'INTERNAL', 'late'),
    );
    expect(reading).toEqual({
      pieces: [{ kind: 'text', text: 'a' }],
      end: { kind: 'end', finish: 'stop', usage: null },
    });
  });

  it('leaves out what is neither text nor call', async () => {
    const parts = [
      { executableCode: { language: 'PYTHON', code: 'CANARY' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'CANARY' } },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { text: 'a', thoughtSignature: 'c2ln' },
      { text: '', thoughtSignature: 'c2ln' },
    ];
    expect((await readEvents(response(parts, 'STOP'))).pieces).toEqual([{ kind: 'text', text: 'a' }]);
  });

  it('counts what tools of the upstream put into the prompt', async () => {
    const usageMetadata = {
      promptTokenCount: 10,
      toolUsePromptTokenCount: 5,
      candidatesTokenCount: 2,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 10 }],
    };
    const { end } = await readEvents({ ...response(['a'], 'STOP'), usageMetadata });
    expect(end).toMatchObject({ usage: { promptTokens: 15, completionTokens: 2 } });
  });

  it('leaves other candidates out', async () => {
    const two = response(['a'], 'STOP') as { candidates: object[] };
    const { pieces } = await readEvents({
      ...two,
      candidates: [{ index: 1, content: { parts: [{ text: 'other' }] } }, ...two.candidates],
    });
    expect(pieces).toEqual([{ kind: 'text', text: 'a' }]);
  });
});

describe('endings', () => {
  it.for([
    ['STOP', ['a'], 'stop'],
    ['MAX_TOKENS', ['a'], 'length'],
    ['SAFETY', ['a'], 'content_filter'],
    ['RECITATION', ['a'], 'content_filter'],
    ['BLOCKLIST', ['a'], 'content_filter'],
    ['PROHIBITED_CONTENT', ['a'], 'content_filter'],
    ['SPII', ['a'], 'content_filter'],
    ['LANGUAGE', ['a'], 'content_filter'],
    ['MODEL_ARMOR', ['a'], 'content_filter'],
    ['SOMETHING_NEW', ['a'], 'stop'],
    ['STOP', [call('f', {})], 'tool_calls'],
    ['MAX_TOKENS', [call('f', {})], 'length'],
    ['MAX_TOKENS', [], 'length'],
    ['STOP', [], 'stop'],
  ] as const)('in %s after %j are %s', async ([native, parts, finish]) => {
    expect((await readEvents(response(parts, native))).end).toMatchObject({ kind: 'end', finish });
  });

  it('in a spent budget may come without a content, thoughts counted', async () => {
    const { end } = await readEvents({
      candidates: [{ finishReason: 'MAX_TOKENS', index: 0 }],
      usageMetadata: { promptTokenCount: 1706, thoughtsTokenCount: 2999, totalTokenCount: 4705 },
    });
    expect(end).toMatchObject({
      finish: 'length',
      usage: { promptTokens: 1706, completionTokens: 2999 },
    });
  });

  it.for([
    ['a call that cannot be read', response([], 'MALFORMED_FUNCTION_CALL'), 'garbled'],
    ['a call of nothing that was given', response(['a'], 'UNEXPECTED_TOOL_CALL'), 'garbled'],
    ['giving up without a word', response(['a'], 'OTHER'), 'server'],
    ['everything blocked', response([], 'SAFETY'), 'policy'],
    ['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' } }, 'policy'],
    ['a regular end without a content', { candidates: [{ finishReason: 'STOP' }] }, 'unusable'],
    ['no reason', response(['a']), 'unusable'],
    ['no response', 5, 'unusable'],
    ['parts that are no list', { candidates: [{ content: { parts: 'x' } }] }, 'unusable'],
    ['a part that is none', { candidates: [{ content: { parts: [null] } }] }, 'unusable'],
    ['a text that is none', response([{ text: 5 }]), 'unusable'],
    ['a call without a name', response([{ functionCall: { args: {} } }]), 'unusable'],
    ['arguments that are no object', response([{ functionCall: { name: 'f', args: [1] } }]), 'unusable'],
    ['an error', generateError(503, 'UNAVAILABLE', 'x'), 'busy'],
    ['an error in an array', [generateError(500, 'INTERNAL', 'x')], 'server'],
  ] as const)('in %2$s are failures: %0$s', async ([, body, reason]) => {
    expect((await readEvents(body)).end).toMatchObject({ kind: 'failure', reason });
  });

  it('by a block after a text are those of a text cut short', async () => {
    const block = {
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
      usageMetadata: { promptTokenCount: 4 },
    };
    const { pieces, end } = await readEvents(response(['a']), block, response(['late'], 'STOP'));
    expect(pieces).toEqual([{ kind: 'text', text: 'a' }]);
    expect(end).toMatchObject({ kind: 'end', finish: 'content_filter', usage: { promptTokens: 11 } });
  });

  it('keeps what a broken array left unfinished from passing for an answer', async () => {
    const text = JSON.stringify([response(['a']), response(['b'], 'STOP')]);
    const { pieces, end } = await read([Buffer.from(text.slice(0, -40))], createArrayParser);
    expect(pieces).toEqual([{ kind: 'text', text: 'a' }]);
    expect(end).toMatchObject({ kind: 'failure', reason: 'unusable' });
  });

  it('refuses arguments nested too deep to be written again', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const event = generateEvent(response([call('f', { x: 0 })], 'STOP')).replace('{"x":0}', `{"x":${deep}}`);
    expect((await read([Buffer.from(event)])).end).toMatchObject({ kind: 'failure', reason: 'unusable' });
  });
});
