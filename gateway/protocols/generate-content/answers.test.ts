import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeUpstream, json } from '../../testing/fake-upstream.ts';
import { askGenerate, readResponses } from '../../testing/generate-content-caller.ts';
import {
  generated,
  generatedStream,
  generateUsage,
  response,
} from '../../testing/generate-content-upstream.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((ends) => {
  ({ upstream, gateway } = ends);
});
beforeEach(() => {
  upstream.queue.length = 0;
  upstream.fallback = generated(['Hello']);
});
afterEach(() => {
  expect(upstream.queue).toHaveLength(0);
});

const plain = 'gamma-3-flash:generateContent';
const stream = 'gamma-3-flash:streamGenerateContent?alt=sse';
const thought = { text: 'hm', thought: true };
const functionCallPart = { functionCall: { name: 'f', args: { big: 1 } }, thoughtSignature: 'c2ln' };
const code = { executableCode: { language: 'PYTHON', code: '1' } };
const answerParts = [thought, { text: 'Hello', thoughtSignature: 'dHh0' }, functionCallPart, code];

describe('a whole answer on compat path B', () => {
  it('holds the upstream’s own parts, extras and counts, under our names', async () => {
    const extras = { safetyRatings: [{ category: 'x' }], avgLogprobs: -0.5, finishMessage: 'RAW-1' };
    const body = response(answerParts, 'STOP') as { candidates: object[] };
    Object.assign(body.candidates[0] ?? {}, extras);
    const promptFeedback = { safetyRatings: [], blockReasonMessage: 'RAW-2' };
    upstream.queue.push(json(200, { ...body, promptFeedback, other: 'RAW-3' }));
    const answer = await askGenerate(gateway, plain);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      candidates: [
        {
          content: { role: 'model', parts: answerParts },
          finishReason: 'STOP',
          index: 0,
          safetyRatings: [{ category: 'x' }],
          avgLogprobs: -0.5,
        },
      ],
      promptFeedback: { safetyRatings: [] },
      usageMetadata: generateUsage,
      modelVersion: 'gamma-3-flash',
      responseId: expect.stringMatching(/^gen-/),
    });
  });

  it('without a part has an empty list of them', async () => {
    upstream.queue.push(
      json(200, { candidates: [{ finishReason: 'MAX_TOKENS' }], usageMetadata: generateUsage }),
    );
    const answer = await askGenerate(gateway, plain);
    expect(answer.json.candidates).toEqual([
      { content: { role: 'model', parts: [] }, finishReason: 'MAX_TOKENS', index: 0 },
    ]);
  });

  it('without a count says zeros', async () => {
    upstream.queue.push(generated(['a'], 'STOP', { usageMetadata: undefined }));
    expect((await askGenerate(gateway, plain)).json.usageMetadata).toEqual({
      promptTokenCount: 0,
      candidatesTokenCount: 0,
      totalTokenCount: 0,
    });
  });
});

describe('a stream on compat path B', () => {
  it('passes the parts on as they are, and ends with reason and counts', async () => {
    upstream.queue.push(
      generatedStream([
        response([thought]),
        response(['Hé']),
        response([{ text: 'llo', thoughtSignature: 'dHh0' }, functionCallPart]),
        response([{ text: '' }], 'STOP', { usageMetadata: { ...generateUsage, trafficType: 'ON_DEMAND' } }),
      ]),
    );
    const answer = await askGenerate(gateway, stream);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/event-stream/);
    const { responses, parts, text } = readResponses(answer);
    expect(text).toBe('Héllo');
    expect(parts).toEqual([
      thought,
      { text: 'Hé' },
      { text: 'llo', thoughtSignature: 'dHh0' },
      functionCallPart,
    ]);
    for (const one of responses)
      expect(one).toMatchObject({ modelVersion: 'gamma-3-flash', responseId: responses[0].responseId });
    expect(responses.slice(0, -1).some((one) => 'finishReason' in one.candidates[0])).toBe(false);
    expect(responses.at(-1)).toMatchObject({
      candidates: [{ finishReason: 'STOP', index: 0 }],
      usageMetadata: { ...generateUsage, trafficType: 'ON_DEMAND' },
    });
    expect(answer.text).not.toContain('[DONE]');
    expect(upstream.seen[0]?.path).toBe('/v1beta/models/native-gamma-3-flash:streamGenerateContent?alt=sse');
  });

  it('gathers what its responses say of the candidate', async () => {
    const cited = response(['a']) as { candidates: object[] };
    Object.assign(cited.candidates[0] ?? {}, { citationMetadata: { citationSources: [1] } });
    const last = response([], 'STOP') as { candidates: object[] };
    Object.assign(last.candidates[0] ?? {}, { groundingMetadata: { a: 1 }, finishMessage: 'RAW-1' });
    upstream.queue.push(generatedStream([cited, last]));
    const { responses } = readResponses(await askGenerate(gateway, stream));
    expect(responses.at(-1).candidates[0]).toEqual({
      content: { role: 'model', parts: [{ text: '' }] },
      index: 0,
      finishReason: 'STOP',
      citationMetadata: { citationSources: [1] },
      groundingMetadata: { a: 1 },
    });
  });

  it('is asked for with the colon encoded, too', async () => {
    upstream.queue.push(generatedStream([response(['a'], 'STOP')]), generated(['b']));
    const answer = await askGenerate(gateway, 'gamma-3-flash%3AstreamGenerateContent?alt=sse');
    expect(readResponses(answer).text).toBe('a');
    expect((await askGenerate(gateway, 'gamma%2D3-flash%3agenerateContent')).status).toBe(200);
  });
});

describe('the upstream’s own words', () => {
  it('are put together from events where one answer was asked for', async () => {
    upstream.queue.push(
      generatedStream([response([thought, 'Hel']), response(['lo', functionCallPart], 'STOP')]),
    );
    const answer = await askGenerate(gateway, plain);
    expect(answer.json).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'Hello' }, functionCallPart] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 11,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 2,
        totalTokenCount: 18,
      },
    });
  });
});
