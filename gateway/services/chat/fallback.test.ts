import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ManyEnds, startManyEnds } from '../../testing/channels.ts';
import {
  completion,
  cut,
  delta,
  events,
  type FakeUpstream,
  hang,
  json,
  type Reply,
} from '../../testing/fake-upstream.ts';
import { message } from '../../testing/messages-upstream.ts';
import { otherKey, testKey } from '../../testing/test-gateway.ts';
import { parseEvents, startRead } from '../../testing/wire.ts';

const broken: Reply = json(500, { error: { message: 'RAW' } });
const lead = { model: 'lead-1', messages: [{ role: 'user', content: 'hi' }] };

let ends: ManyEnds;
let own: FakeUpstream;
let other: FakeUpstream;
const chat = (more: object = {}) => ends.gateway.chat({ ...lead, ...more });

/** `lead-1` over `a`, whose fallback is `reserve-1` over `b`, in another dialect. */
beforeEach(async () => {
  const models = [
    { id: 'lead-1', context_tokens: 100_000, capabilities: ['tools', 'stream', 'vision'] },
    { id: 'reserve-1', context_tokens: 20_000, output_tokens: 4_000, capabilities: ['tools', 'stream'] },
  ];
  ends = await startManyEnds(
    [
      { models: { 'lead-1': 'native-lead' } },
      { models: { 'reserve-1': 'native-reserve' }, dialect: 'messages' },
    ],
    { chat_models: models, fallbacks: { 'lead-1': 'reserve-1' } },
  );
  const [first, second] = ends.upstreams;
  if (first === undefined || second === undefined) throw new Error('no upstreams');
  own = first;
  other = second;
  own.fallback = broken;
  other.fallback = message('From the reserve');
});
afterEach(() => ends.close());

describe('a declared fallback model', () => {
  it('answers when its own channels have had their two attempts, under its own name', async () => {
    const answer = await chat({ max_tokens: 50_000, temperature: 1.5 });
    expect(answer).toMatchObject({
      status: 200,
      json: { model: 'reserve-1', choices: [{ message: { content: 'From the reserve' } }] },
    });
    expect([own.seen.length, other.seen.length]).toEqual([2, 1]);
    // Its own name, limits and dialect.
    expect(other.seen[0]?.path).toBe('/v1/messages');
    expect(other.seen[0]?.body).toMatchObject({ model: 'native-reserve', max_tokens: 4_000, temperature: 1 });
    expect(ends.gateway.records).toMatchObject([
      {
        model_requested: 'lead-1',
        model_served: 'reserve-1',
        channel_id: 'b',
        attempts: 3,
        outcome: 'success',
        usage_known: true,
      },
    ]);
  });

  it('has two attempts of its own, and its last failure is the answer', async () => {
    other.fallback = cut;
    expect(await chat()).toMatchObject({
      status: 502,
      json: { error: { code: 'upstream_error', channel: 'b' } },
    });
    expect([own.seen.length, other.seen.length]).toEqual([2, 2]);
    expect(ends.gateway.records).toMatchObject([
      { model_requested: 'lead-1', model_served: 'reserve-1', attempts: 4, outcome: 'upstream_error' },
    ]);
  });

  it.for([
    [
      'the request is at fault',
      json(400, { error: { code: 'context_length_exceeded' } }),
      'context_too_long',
    ],
    ['a policy blocks it', json(400, { error: { code: 'content_filter' } }), 'content_filter'],
    ['an answer is no answer', json(200, '<html>'), 'upstream_error'],
  ] as const)('is not asked when %s', async ([, reply, code]) => {
    own.fallback = reply;
    expect((await chat()).json.error).toMatchObject({ code, channel: 'a' });
    expect([own.seen.length, other.seen.length]).toEqual([1, 0]);
  });

  it('never goes on with a stream that has begun', async () => {
    own.fallback = events([delta({ content: 'x' })], 'reset');
    const { chunks } = parseEvents((await chat({ stream: true })).text);
    expect(chunks.at(-1)?.error).toMatchObject({ code: 'upstream_error', channel: 'a' });
    expect([own.seen.length, other.seen.length]).toEqual([1, 0]);
  });

  it.for([
    [
      'lacks a capability',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }],
          },
        ],
      },
    ],
    ['has too small a window', { messages: [{ role: 'user', content: 'many words '.repeat(90_000) }] }],
  ] as const)('is not asked when it %s', async ([, more]) => {
    expect((await chat(more)).json.error).toMatchObject({ channel: 'a' });
    expect(other.seen).toHaveLength(0);
  });

  it.for(['prompt is too long: 9 tokens > 8', 'Output blocked by content filtering policy', 'max_tokens: 9'])(
    'does not make the failure of the model that was asked for a fault of the request: %s',
    async (refused) => {
      other.fallback = json(400, {
        type: 'error',
        error: { type: 'invalid_request_error', message: refused },
      });
      const failed = { status: 502, json: { error: { code: 'upstream_error', channel: 'a', param: null } } };
      expect(await chat({ max_tokens: 9 })).toMatchObject(failed);
      expect(ends.gateway.records).toMatchObject([
        { model_served: 'lead-1', channel_id: 'a', attempts: 3, outcome: 'upstream_error' },
      ]);
      for (let i = 0; i < 2; i += 1) await chat();
      expect((await chat()).json.error).toMatchObject({ code: 'channel_outage', channel: null });
    },
  );

  it('is not the one that served a caller who left before it was called', async () => {
    other.count = hang;
    const messages = [{ role: 'user', content: 'word '.repeat(10_000) }];
    const leaving = new AbortController();
    const left = startRead(`${ends.gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      key: testKey,
      body: { ...lead, messages, max_tokens: 4_000 },
      signal: leaving.signal,
    });
    await expect.poll(() => other.counted.length).toBe(1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expect
      .poll(() => ends.gateway.records)
      .toMatchObject([{ model_requested: 'lead-1', model_served: 'lead-1', channel_id: 'a', attempts: 2 }]);
  });

  it('is asked for the length of a prompt that may be too much for it', async () => {
    const messages = [{ role: 'user', content: 'word '.repeat(10_000) }];
    other.count = json(200, { input_tokens: 16_001 });
    expect((await chat({ messages, max_tokens: 4_000 })).json.error.channel).toBe('a');
    expect([other.counted.length, other.seen.length]).toEqual([1, 0]);
    other.count = json(200, { input_tokens: 16_000 });
    expect((await chat({ messages, max_tokens: 4_000 })).json.model).toBe('reserve-1');
  });
});

describe('without a declared fallback model', () => {
  it('a model fails alone', async () => {
    expect((await ends.gateway.chat({ ...lead, model: 'reserve-1' })).json.model).toBe('reserve-1');
    other.fallback = cut;
    own.fallback = completion('Hello');
    expect((await ends.gateway.chat({ ...lead, model: 'reserve-1' })).json.error.channel).toBe('b');
    expect(own.seen).toHaveLength(0);
  });
});

it('a fallback model that the account may not use is not asked', async () => {
  await ends.close();
  ends = await startManyEnds([{ models: { 'delta-3': 'x' } }, { models: { 'alpha-5-2': 'y' } }], {
    fallbacks: { 'delta-3': 'alpha-5-2' },
  });
  const [first] = ends.upstreams;
  if (first === undefined) throw new Error('no upstreams');
  first.fallback = broken;
  const ask = (key: string) => ends.gateway.chat({ ...lead, model: 'delta-3' }, key);
  expect((await ask(testKey)).json.model).toBe('alpha-5-2');
  expect((await ask(otherKey)).json.error).toMatchObject({ code: 'upstream_error', channel: 'a' });
});
