import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ManyEnds, startManyEnds } from '../../testing/channels.ts';
import type { FakeUpstream } from '../../testing/fake-upstream.ts';
import { ask, askGenerate, readResponses } from '../../testing/generate-content-caller.ts';
import {
  generated,
  generatedStream,
  generateUsage,
  response,
} from '../../testing/generate-content-upstream.ts';

const thought = { text: 'hm', thought: true };
const signed = { text: 'so ', thoughtSignature: 'dHh0' };
const body = { ...ask, generation_config: { stopSequences: ['END'], topK: 1 } };

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

it('cuts a whole answer at a stop sequence that the upstream does not get', async () => {
  upstream.queue.push(generated([thought, 'so far END and on']));
  const answer = await askGenerate(ends.gateway, 'gamma-3-flash:generateContent', body);
  expect(upstream.seen[0]?.body).toEqual({ ...ask, generation_config: { topK: 1 } });
  expect(answer.json.candidates).toEqual([
    { content: { role: 'model', parts: [{ text: 'so far ' }] }, finishReason: 'STOP', index: 0 },
  ]);
});

it('returns an answer without the stop sequence unchanged', async () => {
  upstream.queue.push(generated([thought, signed]));
  const answer = await askGenerate(ends.gateway, 'gamma-3-flash:generateContent', body);
  expect(answer.json.candidates[0].content.parts).toEqual([thought, signed]);
  expect(answer.json.usageMetadata).toEqual(generateUsage);
});

it('keeps native parts before the stop sequence in a stream', async () => {
  upstream.queue.push(
    generatedStream([response([thought, signed]), response(['far END and'], 'MAX_TOKENS')]),
  );
  const answer = await askGenerate(ends.gateway, 'gamma-3-flash:streamGenerateContent?alt=sse', body);
  const { parts, responses } = readResponses(answer);
  expect(parts).toEqual([thought, signed, { text: 'far ' }, { text: '' }]);
  expect(responses.at(-1).candidates[0].finishReason).toBe('STOP');
});
