import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { createReceiver, type ReceiverOptions } from './receiver.ts';
import { newKey, nowSeconds, signed } from './testing/signed.ts';
import type { IncomingEvent } from './verify.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A listening receiver, and a function that delivers to it. */
async function bench(options: Partial<ReceiverOptions> = {}): Promise<{
  deliver(event: IncomingEvent, method?: 'POST' | 'PUT'): Promise<Answer>;
  processed(): Promise<Answer>;
  defects: unknown[];
}> {
  const defects: unknown[] = [];
  const server = createReceiver({
    keys: [newKey],
    now: () => nowSeconds * 1000,
    onDefect: (error) => defects.push(error),
    ...options,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const read = async (call: ReturnType<typeof request>): Promise<Answer> => {
    const { statusCode: status, body, headers } = await call;
    return { status, body: await body.json(), headers };
  };
  return {
    defects,
    deliver: ({ headers, body }, method = 'POST') =>
      read(request(`${url}/hooks/tasks?x=1`, { method, body: Buffer.from(body), headers: headers.flat() })),
    processed: () => read(request(`${url}/processed`)),
  };
}

it('processes an event once, and answers a duplicate of it with 200, too', async () => {
  const events: unknown[] = [];
  const { deliver, processed } = await bench({ process: async (event) => void events.push(event) });
  expect(await deliver(signed())).toMatchObject({ status: 200, body: { received: true, duplicate: false } });
  const again = signed({ timestamp: String(nowSeconds - 60) });
  expect(await deliver(again)).toMatchObject({ status: 200, body: { received: true, duplicate: true } });
  const sameBody = signed({ id: 'evt_2' });
  expect(await deliver(sameBody)).toMatchObject({ status: 200, body: { received: true, duplicate: false } });
  expect(events).toEqual(['evt_1', 'evt_2'].map((id) => ({ id, payload: { type: 'task.success' } })));
  expect(await processed()).toMatchObject({ status: 200, body: { processed: 2 } });
});

it.each([
  ['a replay', { timestamp: String(nowSeconds - 301) }, 400, 'webhook_replay', 'invalid_request_error', null],
  [
    'an event of the future',
    { timestamp: String(nowSeconds + 301) },
    400,
    'webhook_replay',
    'invalid_request_error',
    null,
  ],
  ['a wrong secret', { keys: [Buffer.alloc(32)] }, 401, 'invalid_api_key', 'auth_error', 'webhook-signature'],
  ['no timestamp', { timestamp: '1e9' }, 400, 'invalid_param', 'invalid_request_error', 'webhook-timestamp'],
  ['no JSON', { body: Buffer.from('{') }, 400, 'invalid_param', 'invalid_request_error', null],
  ['no text', { body: Buffer.from([0x22, 0xff, 0x22]) }, 400, 'invalid_param', 'invalid_request_error', null],
  [
    'a long body',
    { body: Buffer.alloc(256 * 1024 + 1, ' ') },
    413,
    'invalid_param',
    'invalid_request_error',
    null,
  ],
])('refuses %s in the error shape of the specification', async (_, parts, status, code, type, param) => {
  const { deliver, processed } = await bench();
  const answer = await deliver(signed(parts));
  const message = expect.any(String);
  expect(answer).toMatchObject({ status, body: { error: { type, code, message, channel: null, param } } });
  expect(await processed()).toMatchObject({ body: { processed: 0 } });
});

it('rejects a forged event, and still accepts the real event with its id', async () => {
  const { deliver } = await bench();
  expect((await deliver(signed({ keys: [Buffer.alloc(32)] }))).status).toBe(401);
  expect(await deliver(signed())).toMatchObject({ status: 200, body: { duplicate: false } });
});

it('accepts only POST', async () => {
  const { deliver } = await bench();
  expect(await deliver(signed(), 'PUT')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
});

it('answers 500 if processing fails, and processes the event at the next delivery', async () => {
  let broken = true;
  const { deliver, defects } = await bench({
    process: async () => {
      if (broken) throw new Error('no database');
    },
  });
  expect(await deliver(signed())).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } });
  broken = false;
  expect(await deliver(signed())).toMatchObject({ status: 200, body: { duplicate: false } });
  expect(defects).toHaveLength(1);
});
