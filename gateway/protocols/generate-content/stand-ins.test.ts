import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ManyEnds, startManyEnds } from '../../testing/channels.ts';
import { completion, type FakeUpstream, json } from '../../testing/fake-upstream.ts';
import { ask, askGenerate } from '../../testing/generate-content-caller.ts';
import { generated, generateError } from '../../testing/generate-content-upstream.ts';

const broken = json(500, generateError(500, 'INTERNAL', 'RAW'));

let ends: ManyEnds;
let upstreams: readonly FakeUpstream[];

/** `gamma-3-pro` falls back to `gamma-3-flash` in its own dialect, and that to `delta-3` in the common one. */
beforeEach(async () => {
  ends = await startManyEnds(
    [
      { models: { 'gamma-3-pro': 'native-pro' }, dialect: 'generate-content' },
      { models: { 'gamma-3-flash': 'native-flash' }, dialect: 'generate-content' },
      { models: { 'delta-3': 'native-delta' } },
    ],
    { fallbacks: { 'gamma-3-pro': 'gamma-3-flash', 'gamma-3-flash': 'delta-3' } },
  );
  ({ upstreams } = ends);
  for (const upstream of upstreams.slice(0, 2)) upstream.fallback = broken;
});
afterEach(() => ends.close());

it('falls back to a model of the same dialect with an unchanged body', async () => {
  const [, flash] = upstreams;
  flash?.queue.push(generated(['from flash']));
  const body = { ...ask, generationConfig: { maxOutputTokens: 70_000, topK: 2 }, safetySettings: [] };
  const answer = await askGenerate(ends.gateway, 'gamma-3-pro:generateContent', body);
  expect(answer.json).toMatchObject({
    candidates: [{ content: { parts: [{ text: 'from flash' }] } }],
    modelVersion: 'gamma-3-flash',
  });
  expect(flash?.seen[0]?.body).toEqual({ ...body, generationConfig: { maxOutputTokens: 70_000, topK: 2 } });
});

it('falls back to a model of another dialect if it can express the request', async () => {
  const [, , delta] = upstreams;
  if (delta === undefined) throw new Error('no upstream');
  delta.fallback = completion('from delta');
  const answer = await askGenerate(ends.gateway, 'gamma-3-flash:generateContent');
  expect(answer.json).toMatchObject({
    candidates: [{ content: { role: 'model', parts: [{ text: 'from delta' }] }, finishReason: 'STOP' }],
    modelVersion: 'delta-3',
  });
  expect(ends.gateway.records).toMatchObject([
    { model_requested: 'gamma-3-flash', model_served: 'delta-3', attempts: 3, outcome: 'success' },
  ]);
  const nativeOnly = { ...ask, safetySettings: [{}] };
  expect(await askGenerate(ends.gateway, 'gamma-3-flash:generateContent', nativeOnly)).toMatchObject({
    status: 502,
    json: { error: { code: 'upstream_error', channel: 'b', status: 'UNAVAILABLE' } },
  });
  expect(delta.seen).toHaveLength(1);
});

it('stops calling a channel that keeps failing', async () => {
  const [pro] = upstreams;
  const nativeOnly = { ...ask, safetySettings: [{}] };
  const codes: string[] = [];
  for (let i = 0; i < 4; i += 1)
    codes.push((await askGenerate(ends.gateway, 'gamma-3-pro:generateContent', nativeOnly)).json.error.code);
  expect(codes.at(-1)).toBe('channel_outage');
  expect(pro?.seen.length).toBe(5);
  const last = await askGenerate(ends.gateway, 'gamma-3-pro:generateContent', nativeOnly);
  expect(last).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
});
