import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ManyEnds, startManyEnds } from '../../testing/channels.ts';
import {
  completion,
  delta,
  events,
  type FakeUpstream,
  json,
  usageFrame,
} from '../../testing/fake-upstream.ts';
import { ask, askGenerate, readResponses } from '../../testing/generate-content-caller.ts';
import { generated, generateUsage } from '../../testing/generate-content-upstream.ts';

const plain = 'gamma-3-flash:generateContent';
const stream = 'gamma-3-flash:streamGenerateContent?alt=sse';
const testUsage = {
  promptTokenCount: 11,
  candidatesTokenCount: 7,
  totalTokenCount: 18,
  cachedContentTokenCount: 3,
};
const functionCallPart = { functionCall: { id: 'c1', name: 'f', args: { a: 1 } } };

let ends: ManyEnds;
let common: FakeUpstream;
let native: FakeUpstream;

/** Serves `gamma-3-flash` by `a` in the common dialect, and by `b` in its own dialect only when `a` cannot. */
beforeEach(async () => {
  const models = { 'gamma-3-flash': 'native-gamma' };
  ends = await startManyEnds([
    { models, priority: 1 },
    { models, priority: 2, dialect: 'generate-content' },
  ]);
  const [first, second] = ends.upstreams;
  if (first === undefined || second === undefined) throw new Error('no upstreams');
  [common, native] = [first, second];
  native.fallback = generated(['from its own'], 'STOP');
});
afterEach(() => ends.close());

describe('a gamma model over an upstream of another dialect', () => {
  it('translates the request and the answer', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
    common.queue.push(completion('so', { message: { tool_calls: [call] }, finish: 'tool_calls' }));
    const tools = [{ functionDeclarations: [{ name: 'f', parameters: { type: 'OBJECT' } }] }];
    const generationConfig = { maxOutputTokens: 5, stopSequences: ['x'], seed: 3 };
    const body = { ...ask, systemInstruction: 'be', tools, generationConfig };
    const answer = await askGenerate(ends.gateway, plain, body);
    expect(common.seen[0]?.body).toEqual({
      model: 'native-gamma',
      messages: [
        { role: 'system', content: 'be' },
        { role: 'user', content: 'hi' },
      ],
      max_tokens: 5,
      stop: ['x'],
      seed: 3,
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
    });
    expect(answer.json).toEqual({
      candidates: [
        {
          content: { role: 'model', parts: [{ text: 'so' }, functionCallPart] },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: testUsage,
      modelVersion: 'gamma-3-flash',
      responseId: expect.stringMatching(/^gen-/),
    });
  });

  it('streams complete calls in the last response', async () => {
    const part = (index: number, more: object) => delta({ tool_calls: [{ index, ...more }] });
    common.queue.push(
      events([
        delta({ content: 'so' }),
        part(0, { id: 'c1', function: { name: 'f', arguments: '{"a"' } }),
        part(0, { function: { arguments: ':1}' } }),
        delta({}, 'tool_calls'),
        usageFrame,
        'data: [DONE]\n\n',
      ]),
    );
    const { responses, parts } = readResponses(await askGenerate(ends.gateway, stream));
    expect(parts).toEqual([{ text: 'so' }, functionCallPart]);
    expect(responses.at(-1)).toMatchObject({
      candidates: [{ finishReason: 'STOP', content: { parts: [functionCallPart] } }],
      usageMetadata: testUsage,
    });
  });

  it.for([
    ['length', 'MAX_TOKENS'],
    ['content_filter', 'SAFETY'],
    ['stop', 'STOP'],
  ] as const)('maps the finish reason "%s" to %s', async ([finish, reason]) => {
    common.queue.push(completion('so', { finish }));
    const answer = await askGenerate(ends.gateway, plain);
    expect(answer.json.candidates[0].finishReason).toBe(reason);
  });

  it('is skipped for fields that only its own dialect has', async () => {
    const answer = await askGenerate(ends.gateway, plain, { ...ask, safetySettings: [{}] });
    expect(answer.json.candidates[0].content.parts).toEqual([{ text: 'from its own' }]);
    expect([common.seen.length, native.seen.length]).toEqual([0, 1]);
  });

  it('is retried on an upstream of its own dialect, and the record names that channel', async () => {
    common.fallback = json(500, { error: { message: 'RAW' } });
    const answer = await askGenerate(ends.gateway, plain);
    expect(answer.json).toMatchObject({ usageMetadata: generateUsage, modelVersion: 'gamma-3-flash' });
    expect(ends.gateway.records).toMatchObject([{ attempts: 2, channel_id: 'b', outcome: 'success' }]);
    expect(native.seen[0]?.body).toEqual(ask);
  });

  it('has the same record as on the core path', async () => {
    common.fallback = completion('so');
    await askGenerate(ends.gateway, plain);
    await ends.gateway.chat({ model: 'gamma-3-flash', messages: [{ role: 'user', content: 'hi' }] });
    const [one, other] = ends.gateway.records.map(
      ({ request_id: _id, started_at_ms: _start, ended_at_ms: _end, ...rest }) => rest,
    );
    expect(one).toEqual(other);
  });
});

it('rejects a request with a field that no upstream of its model can express', async () => {
  const lone = await startManyEnds([{ models: { 'gamma-3-flash': 'native-gamma' } }]);
  try {
    expect(await askGenerate(lone.gateway, plain, { ...ask, cachedContent: 'x' })).toMatchObject({
      status: 400,
      json: { error: { code: 'unsupported_capability', param: 'cachedContent' } },
    });
  } finally {
    await lone.close();
  }
});
