import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { profileSchema } from '../profile/profile.ts';
import { createWireClient, type WireClient } from './client.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** What a server does with the request of this number on the connection of this number, both from 1. */
type Serve = (socket: Socket, request: number, connection: number) => unknown;

/** A client of a server that counts its connections. */
async function clientOf(serve: Serve): Promise<{ client: WireClient; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const own = connections;
    let requests = 0;
    socket.on('error', () => {});
    socket.on('data', () => serve(socket, ++requests, own));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createWireClient(
    profileSchema.parse({ base_url: `http://127.0.0.1:${port}`, keys: { K1: 'sk-own' } }),
  );
  closing.push(
    () => client.close(),
    () => server.close(),
  );
  return { client, connections: () => connections };
}

const send = async (client: WireClient): Promise<string> => {
  const { response, error } = await client.send({ method: 'POST', path: '/', body: { a: 1 } });
  return response?.complete ? String(response.body) : `${error}`;
};

const served: Serve = (socket) => socket.write(answer);
/** As a server that closes a connection whose idle time has just passed. */
const closesSecond: Serve = (socket, request) => (request === 1 ? socket.write(answer) : socket.destroy());

it('sends again on a new connection when the server has closed the idle one', async () => {
  const { client, connections } = await clientOf(closesSecond);
  expect(await send(client)).toBe('ok');
  await wait(600);
  expect(await send(client)).toBe('ok');
  expect(connections()).toBe(2);
});

it.each<{ name: string; serve: Serve; restMs: number }>([
  { name: 'on a connection in constant use', serve: closesSecond, restMs: 0 },
  {
    name: 'once a byte of the answer came',
    serve: (socket, request) =>
      request === 1 ? socket.write(answer) : socket.write('HTTP/1.1 2', () => socket.destroy()),
    restMs: 600,
  },
  {
    name: 'also on the new connection',
    serve: (socket, request, connection) =>
      request === 1 && connection === 1 ? socket.write(answer) : socket.destroy(),
    restMs: 600,
  },
])('fails when a server drops a call $name', async ({ serve, restMs }) => {
  const { client } = await clientOf(serve);
  expect(await send(client)).toBe('ok');
  await wait(restMs);
  expect(await send(client)).toMatch(/closed|ECONNRESET|socket/i);
});

it('fails when a server drops new connections', async () => {
  const { client, connections } = await clientOf((socket) => socket.destroy());
  expect(await send(client)).toMatch(/closed|ECONNRESET|socket/i);
  expect(connections()).toBe(1);
  expect(await send((await clientOf(served)).client)).toBe('ok');
});
