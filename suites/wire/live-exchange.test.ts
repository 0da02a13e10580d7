import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, createGzip, gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { afterEach, expect, it, vi } from 'vitest';
import { profileSchema } from '../profile/profile.ts';
import { isTooLong, keptBytes, LargeBodies, largestBytes, usualBytes } from './body-bounds.ts';
import { createWireClient, type WireClient } from './client.ts';
import type { Exchange } from './exchange.ts';
import { type LiveExchange, openExchange } from './live-exchange.ts';

let server: Server;
let client: WireClient;

/** Sends one request to a server with this handler. */
async function ask(listener: RequestListener, headers = {}, more = {}): Promise<LiveExchange> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  client = createWireClient(profileSchema.parse({ base_url: `http://127.0.0.1:${port}`, keys: { K1: 'k' } }));
  return client.open({ method: 'GET', path: '/x', headers, ...more });
}

afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

it('keeps a compressed answer decoded, with unchanged headers', async () => {
  const live = await ask(
    (request, response) => {
      const body = gzipSync(`{"accepted":"${request.headers['accept-encoding']}"}`);
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body);
    },
    { 'accept-encoding': 'gzip' },
  );
  const { response, error } = await live.done;
  expect(response?.body.toString()).toBe('{"accepted":"gzip"}');
  expect(response?.headers).toContainEqual(['content-encoding', 'gzip']);
  expect([response?.complete, error]).toEqual([true, null]);
});

it('reads a compressed stream event by event while it is still open', async () => {
  let finish = (): void => undefined;
  const live = await ask((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
    gzip.pipe(response);
    gzip.write('data: one\n\n');
    finish = () => gzip.end('data: two\n\n');
  });
  expect(await live.until((text) => text.includes('one'), 5_000)).toBe(true);
  expect(live.arrivals.map((part) => part.bytes.toString())).toEqual(['data: one\n\n']);
  finish();
  const { response } = await live.done;
  expect(response?.body.toString()).toBe('data: one\n\ndata: two\n\n');
  expect(response?.complete).toBe(true);
});

it('reports a broken compression as an incomplete exchange with an error', async () => {
  const live = await ask((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello').subarray(0, -3));
  });
  const { response, error } = await live.done;
  expect([response?.status, response?.complete]).toEqual([200, false]);
  expect(error).toMatch(/gzip body is broken/);
});

it('reports a coding that was not offered as an error, and closes the connection', async () => {
  const live = await ask((_, response) => {
    response.writeHead(200, { 'content-encoding': 'br' });
    response.write('?');
  });
  expect((await live.done).error).toMatch(/encoding br/);
});

it('abandons an answer that is longer than permitted', async () => {
  const live = await ask((_, response) => response.end(Buffer.alloc(100_000, 'a')), {}, { maxBytes: 50_000 });
  const { response, error } = await live.done;
  expect([response?.complete, error]).toEqual([false, 'more than 50000 bytes of body']);
  expect(response?.body.length).toBeLessThanOrEqual(50_000);
});

it('reads one unusually long answer at a time, while others wait', async () => {
  const large = new LargeBodies();
  const calls = { enter: 0, entered: 0 };
  const enter = large.enter.bind(large);
  large.enter = async () => {
    calls.enter += 1;
    await enter();
    calls.entered += 1;
  };
  const body = Buffer.alloc(usualBytes + 1, 'a');
  const held: ServerResponse[] = [];
  const live = await ask((_, response) => {
    held.push(response);
    response.write(body);
  });
  const agent = new Agent();
  const { url } = (await abandoned(live)).request;
  const sent = { method: 'GET', url, headers: [], body: Buffer.alloc(0) };
  const { signal } = new AbortController();
  const options = { label: 'large', signal, timeoutMs: 20_000, maxBytes: largestBytes, large };
  const answers = [1, 2, 3].map(() => openExchange(agent, sent, options).done);
  await vi.waitFor(() => expect(calls).toEqual({ enter: 3, entered: 1 }), 15_000);
  for (const response of held) response.end();
  const lengths = (await Promise.all(answers)).map(({ response }) => response?.body.length);
  await agent.close();
  expect(lengths).toEqual(Array(3).fill(body.length));
  expect(calls.entered).toBe(3);
});

function abandoned(live: LiveExchange): Promise<Exchange> {
  live.abort();
  return live.done;
}

it('keeps only the beginning of an abandoned answer', async () => {
  const live = await ask((_, response) => response.end(Buffer.alloc(usualBytes + 1, 'a')));
  const exchange = await live.done;
  expect(isTooLong(exchange)).toBe(true);
  expect(exchange.response?.body.length).toBeLessThanOrEqual(keptBytes);
});

it('keeps only the beginning of a long answer that its check left', async () => {
  const live = await ask((_, response) => response.write(Buffer.alloc(usualBytes + keptBytes, 'a')));
  const { url } = (await abandoned(live)).request;
  const agent = new Agent();
  const sent = { method: 'GET', url, headers: [], body: Buffer.alloc(0) };
  const { signal } = new AbortController();
  const options = { label: 'long', signal, timeoutMs: 20_000, maxBytes: largestBytes };
  const long = openExchange(agent, sent, options);
  expect(await long.until((text) => text.length > usualBytes, 20_000)).toBe(true);
  const { response } = await abandoned(long);
  await agent.close();
  expect([response?.status, response?.complete]).toEqual([200, false]);
  expect(response?.body.length).toBeLessThanOrEqual(keptBytes);
});
