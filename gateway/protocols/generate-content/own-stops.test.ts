import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ManyEnds, startManyEnds } from '../../testing/channels.ts';
import type { FakeUpstream } from '../../testing/fake-upstream.ts';
import { ASK, askGenerate, readResponses } from '../../testing/generate-content-caller.ts';
import {
  GENERATE_USAGE,
  generated,
  generatedStream,
  response,
} from '../../testing/generate-content-upstream.ts';

const THOUGHT = { text: 'hm', thought: true };
const SIGNED = { text: 'so ', thoughtSignature: 'dHh0' };
const BODY = { ...ASK, generation_config: { stopSequences: ['END'], topK: 1 } };

let ends: ManyEnds;
let upstream: FakeUpstream;
beforeEach(async () => {
  const models = { 'gamma-3-flash': 'native-gamma' };
  ends = await startManyEnds([{ models, dialect: 'generate-content', takes_stop: false }]);
  const [only] = ends.upstreams;
  if (only === undefined) throw new Error('no upstream');
  upstream = only;
});
afterEach(() => ends.close());

it('a whole answer is cut at a stop that its upstream is not told of', async () => {
  upstream.queue.push(generated([THOUGHT, 'so far END and on']));
  const answer = await askGenerate(ends.gateway, 'gamma-3-flash:generateContent', BODY);
  expect(upstream.seen[0]?.body).toEqual({ ...ASK, generation_config: { topK: 1 } });
  expect(answer.json.candidates).toEqual([
    { content: { role: 'model', parts: [{ text: 'so far ' }] }, finishReason: 'STOP', index: 0 },
  ]);
});

it('one without the stop is all the upstream’s own', async () => {
  upstream.queue.push(generated([THOUGHT, SIGNED]));
  const answer = await askGenerate(ends.gateway, 'gamma-3-flash:generateContent', BODY);
  expect(answer.json.candidates[0].content.parts).toEqual([THOUGHT, SIGNED]);
  expect(answer.json.usageMetadata).toEqual(GENERATE_USAGE);
});

it('a stream keeps the upstream’s own parts before the stop', async () => {
  upstream.queue.push(
    generatedStream([response([THOUGHT, SIGNED]), response(['far END and'], 'MAX_TOKENS')]),
  );
  const answer = await askGenerate(ends.gateway, 'gamma-3-flash:streamGenerateContent?alt=sse', BODY);
  const { parts, responses } = readResponses(answer);
  expect(parts).toEqual([THOUGHT, SIGNED, { text: 'far ' }, { text: '' }]);
  expect(responses.at(-1).candidates[0].finishReason).toBe('STOP');
});
