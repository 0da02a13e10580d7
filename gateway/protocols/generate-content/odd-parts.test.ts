import { describe, expect, it } from 'vitest';
import { events, type FakeUpstream, json } from '../../testing/fake-upstream.ts';
import { askGenerate, readResponses } from '../../testing/generate-content-caller.ts';
import { generateEvent, response } from '../../testing/generate-content-upstream.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((ends) => {
  ({ upstream, gateway } = ends);
});

/** Whether a part is anything but the empty text that closes a stream. */
const isFull = (part: unknown): boolean => JSON.stringify(part) !== '{"text":""}';
const call = (members: object): object => ({ functionCall: { name: 'f', ...members } });

describe('an upstream part that clients could not read', () => {
  it.for<[string, object[], unknown[]]>([
    ['arguments as a text', [call({ args: '{"a":1}' })], [call({ args: { a: 1 } })]],
    ['arguments that are none', [call({ args: 'oops' })], [call({ args: { arguments: 'oops' } })]],
    [
      'an id twice',
      [call({ id: 'x', args: {} }), call({ id: 'x', args: {} })],
      [call({ id: 'x', args: {} }), call({ id: expect.stringMatching(/^call_/), args: {} })],
    ],
    ['a thought that is no text', [{ thought: true, text: 5 }, { text: 'a' }], [{ text: 'a' }]],
    [
      'a call that is none, in a thought',
      [{ thought: true, ...call({ name: 5 }) }, { text: 'a' }],
      [{ text: 'a' }],
    ],
  ])('is made one that they can, or left out: %s', async ([, parts, seen]) => {
    upstream.fallback = json(200, response(parts, 'STOP'));
    const whole = await askGenerate(gateway, 'gamma-3-flash:generateContent');
    expect(whole.json.candidates[0].content.parts).toEqual(seen);
    upstream.fallback = events([generateEvent(response(parts, 'STOP'))]);
    const streamed = await askGenerate(gateway, 'gamma-3-flash:streamGenerateContent?alt=sse');
    expect(readResponses(streamed).parts.filter(isFull)).toEqual(seen);
  });
});

it('replaces a response that is nested too deeply by one with its own usage, not that of the previous response', async () => {
  const deep = generateEvent(response(['second '], null, { x: 'DEEP' }));
  const upstreamEvents = [
    generateEvent(response(['first '], null, { usageMetadata: { promptTokenCount: 1 } })),
    deep.replace('"DEEP"', '['.repeat(5000) + ']'.repeat(5000)),
    generateEvent(response(['third'], 'STOP', { usageMetadata: undefined })),
  ];
  upstream.fallback = events(upstreamEvents);
  const answer = await askGenerate(gateway, 'gamma-3-flash:streamGenerateContent?alt=sse');
  const { text, responses } = readResponses(answer);
  expect(text).toBe('first second third');
  expect(responses.at(-1).usageMetadata).toMatchObject({ promptTokenCount: 11, candidatesTokenCount: 5 });
});

it('sends calls last in a stream, unless more parts follow them', async () => {
  const [one, two] = [call({ args: { n: 1 } }), call({ args: { n: 2 } })];
  const said = [response([one]), response([two]), response([{ text: '' }], 'STOP')];
  upstream.fallback = events(said.map(generateEvent));
  const target = 'gamma-3-flash:streamGenerateContent?alt=sse';
  const { responses } = readResponses(await askGenerate(gateway, target));
  expect(responses).toMatchObject([
    { candidates: [{ content: { parts: [one, two] }, finishReason: 'STOP' }], usageMetadata: {} },
  ]);
  upstream.fallback = events([response([one, 'text', two]), response([], 'STOP')].map(generateEvent));
  expect(readResponses(await askGenerate(gateway, target)).parts).toEqual([one, { text: 'text' }, two]);
});

it('converts counts from strings to numbers, and replaces a finish reason that is a sentence', async () => {
  const usageMetadata = { promptTokenCount: '5', candidatesTokenCount: '6', totalTokenCount: 11 };
  upstream.fallback = json(200, response(['a'], 'It just STOPped', { usageMetadata }));
  const answer = await askGenerate(gateway, 'gamma-3-flash:generateContent');
  expect(answer.json.usageMetadata).toEqual({
    promptTokenCount: 5,
    candidatesTokenCount: 6,
    totalTokenCount: 11,
  });
  expect(answer.json.candidates[0].finishReason).toBe('STOP');
});
