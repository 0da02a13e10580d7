import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  delta,
  type FakeUpstream,
  frames,
  NO_USAGE,
  OUR_USAGE,
  type StreamEnd,
  USAGE,
  USAGE_FRAME,
} from '../../testing/fake-upstream.ts';
import { KEY, type TestGateway } from '../../testing/test-gateway.ts';
import { readStream, type TwoEnds, twoEndsEachTest } from '../../testing/two-ends.ts';
import { startRead, streamedText } from '../../testing/wire.ts';

let ends: TwoEnds;
let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((started) => {
  ends = started;
  ({ upstream, gateway } = started);
});

const request = { model: 'alpha-5-2', messages: [{ role: 'user', content: 'hi' }], stream: true };

const streamOf = (pieces: readonly (string | Uint8Array)[], end?: StreamEnd) =>
  readStream(ends, request, pieces, end);

describe('a stream', () => {
  it('is a role, the texts, and one last chunk with reason and usage before the marker', async () => {
    const { answer, chunks, done } = await streamOf(frames(['Hel', 'lo']));
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    });
    expect(chunks.map((chunk) => chunk.choices)).toEqual([
      [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }],
      [{ index: 0, delta: { content: 'Hel' }, finish_reason: null }],
      [{ index: 0, delta: { content: 'lo' }, finish_reason: null }],
      [{ index: 0, delta: {}, finish_reason: 'stop' }],
    ]);
    expect(chunks.map((chunk) => chunk.usage)).toEqual([undefined, undefined, undefined, OUR_USAGE]);
    expect(done).toBe(true);
    expect(
      new Set(chunks.map(({ id, object, created, model }) => JSON.stringify([id, object, created, model])))
        .size,
    ).toBe(1);
    expect(chunks[0]).toMatchObject({
      object: 'chat.completion.chunk',
      model: 'alpha-5-2',
      id: expect.stringMatching(/^chatcmpl-/),
    });
    expect(answer.text).not.toContain('native');
  });

  it.for<[string, string[], object]>([
    ['no marker', frames(['x']).slice(0, -1), OUR_USAGE],
    ['no usage', [delta({ content: 'x' }), delta({}, 'stop'), 'data: [DONE]\n\n'], NO_USAGE],
    [
      'usage beside content',
      [
        delta({ content: 'x' }).replace('"model"', `"usage":${JSON.stringify(USAGE)},"model"`),
        delta({}, 'stop'),
      ],
      OUR_USAGE,
    ],
    [
      'usage in every chunk',
      [USAGE_FRAME.replace('11', '4'), delta({ content: 'x' }), USAGE_FRAME, delta({}, 'stop')],
      OUR_USAGE,
    ],
    [
      'null usage',
      [delta({ content: 'x' }).replace('"model"', '"usage":null,"model"'), delta({}, 'stop'), USAGE_FRAME],
      OUR_USAGE,
    ],
    [
      'the role in every delta',
      [delta({ role: 'assistant', content: 'x' }), delta({ role: 'assistant' }, 'stop'), USAGE_FRAME],
      OUR_USAGE,
    ],
    ['no role', [delta({ content: 'x' }), delta({}, 'stop'), USAGE_FRAME], OUR_USAGE],
    ['an empty role', [delta({ role: '', content: 'x' }), delta({}, 'stop'), USAGE_FRAME], OUR_USAGE],
    [
      'comments',
      [': ping\n\n', delta({ content: 'x' }), ': ping\n\n', delta({}, 'stop'), USAGE_FRAME],
      OUR_USAGE,
    ],
    [
      'empty choices first',
      [
        'data: {"choices":[],"prompt_filter_results":[]}\n\n',
        delta({ content: 'x' }),
        delta({}, 'stop'),
        USAGE_FRAME,
      ],
      OUR_USAGE,
    ],
    [
      'a chunk without delta',
      ['data: {"choices":[{"index":0}]}\n\n', delta({ content: 'x' }), delta({}, 'stop'), USAGE_FRAME],
      OUR_USAGE,
    ],
    [
      'other choices',
      [
        delta({ content: 'x' }),
        delta({ content: 'y' }).replace('"index":0', '"index":1'),
        delta({}, 'stop'),
        USAGE_FRAME,
      ],
      OUR_USAGE,
    ],
    [
      'late frames',
      [
        delta({ content: 'x' }),
        delta({}, 'stop'),
        delta({ content: 'y' }),
        USAGE_FRAME,
        'data: [DONE]\n\n',
        delta({ content: 'z' }),
      ],
      OUR_USAGE,
    ],
    [
      'no blank line at the end',
      [delta({ content: 'x' }), delta({}, 'stop'), USAGE_FRAME.trimEnd()],
      OUR_USAGE,
    ],
    ['an unknown reason', [delta({ content: 'x' }), delta({}, 'eos'), USAGE_FRAME], OUR_USAGE],
    ['the reason beside content', [delta({ content: 'x' }, 'stop'), USAGE_FRAME], OUR_USAGE],
    [
      'everything in one write',
      [[': a\r\n', delta({ content: 'x' }), delta({}, 'stop'), USAGE_FRAME, 'data: [DONE]\n\n'].join('')],
      OUR_USAGE,
    ],
  ])('is whole with %s', async ([, pieces, usage]) => {
    const { answer, chunks, done } = await streamOf(pieces);
    expect(streamedText(answer.text)).toBe('x');
    expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant' });
    expect(chunks.filter((chunk) => chunk.choices[0].delta.role !== undefined)).toHaveLength(1);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }], usage });
    expect(done).toBe(true);
    expect(gateway.records).toMatchObject([
      { outcome: 'success', stream: true, usage_known: usage === OUR_USAGE },
    ]);
  });

  it('ends at the marker although the upstream keeps the connection', async () => {
    const { done } = await streamOf(frames(['x']), 'hang');
    expect(done).toBe(true);
  });

  it('of no text at all is still a stream', async () => {
    const { chunks, done } = await streamOf(frames([]));
    expect(chunks.map((chunk) => chunk.choices[0].finish_reason)).toEqual([null, 'stop']);
    expect(done).toBe(true);
  });

  it.for(['length', 'content_filter'])('cut off by %s keeps its text', async (reason) => {
    const { answer, chunks } = await streamOf(frames(['partial'], reason));
    expect(streamedText(answer.text)).toBe('partial');
    expect(chunks.at(-1).choices[0].finish_reason).toBe(reason);
  });

  it('passes each text on before the upstream has sent the last one', async () => {
    let goOn = (): void => {};
    upstream.fallback = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(delta({ content: 'first' }));
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      response.end(frames(['last']).join(''));
    };
    const { body } = await startRead(`${gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      key: KEY,
      body: request,
    });
    let text = '';
    for await (const piece of body) {
      text += piece;
      if (text.includes('first')) goOn();
    }
    expect(streamedText(text)).toBe('firstlast');
  });

  it('carries tool calls: id and name once, then the arguments', async () => {
    const part = (fields: object) => delta({ tool_calls: [{ index: 0, ...fields }] });
    const { chunks } = await streamOf([
      part({ id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      part({ function: { arguments: '{"x' } }),
      part({ function: { arguments: '":"ü"}' } }),
      delta({}, 'stop'),
      USAGE_FRAME,
    ]);
    expect(chunks.slice(1).map((chunk) => chunk.choices[0].delta.tool_calls?.[0])).toEqual([
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 0, function: { arguments: '{"x' } },
      { index: 0, function: { arguments: '":"ü"}' } },
      undefined,
    ]);
    expect(chunks.at(-1).choices[0].finish_reason).toBe('tool_calls');
  });

  it('is the same text however the bytes of the upstream are split', async () => {
    const text = 'aé€😀 "quoted"\n\ttab';
    const bytes = Buffer.from(frames([...text]).join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const bounds = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = bounds
          .slice(1)
          .map((bound, i) => bytes.subarray(bounds[i], bound))
          .filter((piece) => piece.length > 0);
        expect(streamedText((await streamOf(pieces)).answer.text)).toBe(text);
      }),
      { numRuns: 40 },
    );
  });

  it('of ten thousand tiny frames, or of one frame of a megabyte, arrives whole', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => String(i % 10));
    expect(streamedText((await streamOf([frames(many).join('')])).answer.text)).toBe(many.join(''));
    const large = 'ü'.repeat(1_000_000);
    expect(streamedText((await streamOf(frames([large]))).answer.text)).toBe(large);
  });
});
