import { describe, expect, it } from 'vitest';
import { delta, frames, noUsage, ourUsage, type StreamEnd, usageFrame } from '../../testing/fake-upstream.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { readStream, type TwoEnds, twoEndsEachTest } from '../../testing/two-ends.ts';
import { streamedText } from '../../testing/wire.ts';

let ends: TwoEnds;
let gateway: TestGateway;
twoEndsEachTest((started) => {
  ends = started;
  ({ gateway } = started);
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
    expect(chunks.map((chunk) => chunk.usage)).toEqual([undefined, undefined, undefined, ourUsage]);
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
    ['no usage', [delta({ content: 'x' }), delta({}, 'stop'), 'data: [DONE]\n\n'], noUsage],
    [
      'null usage',
      [delta({ content: 'x' }).replace('"model"', '"usage":null,"model"'), delta({}, 'stop'), usageFrame],
      ourUsage,
    ],
    ['an unknown reason', [delta({ content: 'x' }), delta({}, 'eos'), usageFrame], ourUsage],
    ['the reason beside content', [delta({ content: 'x' }, 'stop'), usageFrame], ourUsage],
  ])('is whole with %s', async ([, pieces, usage]) => {
    const { answer, chunks, done } = await streamOf(pieces);
    expect(streamedText(answer.text)).toBe('x');
    expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant' });
    expect(chunks.filter((chunk) => chunk.choices[0].delta.role !== undefined)).toHaveLength(1);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }], usage });
    expect(done).toBe(true);
    expect(gateway.records).toMatchObject([
      { outcome: 'success', stream: true, usage_known: usage === ourUsage },
    ]);
  });

  it('of no text at all is still a stream', async () => {
    const { chunks, done } = await streamOf(frames([]));
    expect(chunks.map((chunk) => chunk.choices[0].finish_reason)).toEqual([null, 'stop']);
    expect(done).toBe(true);
  });
});
