import { describe, expect, it } from 'vitest';
import { profileSchema } from '../profile/profile.ts';
import { answeredWith } from '../testing/sample-exchange.ts';
import type { WireRequest } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import { DegradedModels } from './degraded-models.ts';

const profile = profileSchema.parse({
  base_url: 'http://127.0.0.1:1',
  keys: { K1: 'sk-app-1' },
  upstream: {
    control: 'http://127.0.0.1:2',
    routes: [{ model: 'duo', kind: 'pair', channels: [{ name: 'duo-1', dialect: 'messages' }] }],
  },
});

const asking = (model: string): WireRequest => ({
  method: 'POST',
  path: '/api/v1/chat/completions',
  headers: { Authorization: 'Bearer sk-app-1' },
  body: { model, messages: [] },
});

function answer(status: number, body: string, options: { type?: string; complete?: boolean } = {}): Exchange {
  const { type = 'application/json', complete = true } = options;
  const sample = answeredWith(['content-type', type]);
  const response = sample.response && { ...sample.response, status, body: Buffer.from(body), complete };
  return { ...sample, response };
}

const error = (code: string): string => JSON.stringify({ error: { code } });

describe('models that a check may degrade', () => {
  it.for([
    ['an upstream error', answer(502, error('upstream_error')), true],
    ['a full queue', answer(429, error('channel_queue_full')), true],
    ['an outage', answer(503, error('channel_outage')), true],
    ['a stream with an error', answer(200, 'data: {"error":{}}\n\n', { type: 'text/event-stream' }), true],
    [
      'a stream that broke off',
      answer(200, 'data: {}\n\n', { type: 'text/event-stream', complete: false }),
      true,
    ],
    ['a good answer', answer(200, '{}'), false],
    ['a whole stream', answer(200, 'data: [DONE]\n\n', { type: 'text/event-stream' }), false],
    ["the caller's own limit", answer(429, error('concurrency_exceeded')), false],
    ["the caller's own fault", answer(400, error('invalid_param')), false],
  ] as const)('%s tells of a failing upstream: %s', ([, exchange, isDegraded]) => {
    const degraded = new DegradedModels(profile);
    degraded.noteExchange(asking('one'), exchange);
    expect(degraded.models).toEqual(isDegraded ? [{ key: 'sk-app-1', model: 'one' }] : []);
  });

  it('include models with several channels after any answer', () => {
    const degraded = new DegradedModels(profile);
    degraded.noteExchange(asking('duo'), answer(200, '{}'));
    degraded.noteExchange(asking('one'), answer(200, '{}'));
    expect(degraded.models).toEqual([{ key: 'sk-app-1', model: 'duo' }]);
  });

  it('include every called model once a failure was scripted', () => {
    const degraded = new DegradedModels(profile);
    degraded.noteExchange(asking('one'), answer(200, '{}'));
    degraded.noteScript([{ text: 'fine' }, { status: 200, body: {} }]);
    expect(degraded.models).toEqual([]);
    degraded.noteScript([{ hang: 'head' }, { text: 'fine' }]);
    expect(degraded.models).toEqual([{ key: 'sk-app-1', model: 'one' }]);
  });
});
