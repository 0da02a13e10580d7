import { expect, it } from 'vitest';
import { answeredWith } from '../testing/sample-exchange.ts';
import type { WireRequest } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import { addGeneration, type Generation, generationOf, modelCallOf } from './model-calls.ts';

const served = answeredWith();
const refused = { ...served, response: served.response && { ...served.response, status: 400 } };
const call = (body: unknown): Pick<WireRequest, 'path' | 'body'> => ({ path: '/api/v1/tasks', body });

function paidFor(request: Pick<WireRequest, 'path' | 'body'>, exchange: Exchange): Generation | null {
  const called = modelCallOf(request, 'tasks');
  return called === null ? null : generationOf(called, exchange);
}

it.each([
  [call({ model: 'alpha-5-2' }), 'alpha-5-2'],
  [call('{"model":"delta-3"}'), 'delta-3'],
  [call('{"model":'), null],
  [call({ model: 7 }), null],
  [call(null), null],
  [{ path: '/compat-b/v1beta/models/gamma-3-pro:generateContent', body: {} }, 'gamma-3-pro'],
])('finds the model of %j: %s', (request, model) => {
  expect(modelCallOf(request, 'tasks')?.model ?? null).toBe(model);
});

it.each([
  [
    { model: 'alpha-image-2', n: 3, quality: 'high' },
    { images: 3, seconds: 0, quality: 'high' },
  ],
  [{ model: 'kontext-pro' }, { images: 1, seconds: 0 }],
  [{ model: 'journey-v7' }, { images: 4, seconds: 0 }],
  [
    { model: 'journey-v7', action: 'upscale' },
    { images: 1, seconds: 0 },
  ],
  [
    { model: 'vidB2', duration: 10 },
    { images: 0, seconds: 10 },
  ],
  [{ model: 'vidB2' }, { images: 0, seconds: 5 }],
  [{ model: 'upscale-video' }, { images: 0, seconds: 8 }],
  [
    { model: 'vidB2', duration: -1e300 },
    { images: 0, seconds: 5 },
  ],
  [
    { model: '__proto__', n: 0.5 },
    { images: 1, seconds: 0 },
  ],
])('reads %j as a request for %j', (body, made) => {
  expect(paidFor(call(body), served)).toEqual({ model: body.model, made });
});

it('counts nothing as paid for refused calls or calls without a model', () => {
  expect(paidFor(call({ model: 'vidB2' }), refused)).toBeNull();
  expect(paidFor(call({}), served)).toBeNull();
});

it('counts paid calls apart from other calls of a model', () => {
  const asked = addGeneration({ asked: 1 }, null);
  expect(asked).toEqual({ asked: 1 });
  const film = { model: 'vidB2', made: { images: 0, seconds: 5 } };
  expect(addGeneration(addGeneration(asked, film), film)).toEqual({ asked: 1, paid: 2, seconds: 10 });
});
