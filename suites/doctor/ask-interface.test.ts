import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { minimalProfile } from '../profile/load-profile.ts';
import { createWireClient } from '../wire/client.ts';
import { Asking } from './ask-interface.ts';

it('sends each request on a connection of its own, because a refused body may be left on it', async () => {
  const ports = new Set<number | undefined>();
  const server = createServer((request, response) => {
    ports.add(request.socket.remotePort);
    response.writeHead(404).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const profile = minimalProfile(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'sk-right');
  const client = createWireClient(profile);
  onTestFinished(() => client.close());
  const asking = new Asking(client, profile);
  await asking.get('/v1/models', 'authorization');
  for (const path of ['/a', '/b', '/c']) await asking.post(path, { a: 1 }, 'authorization');
  expect([asking.requests, ports.size]).toEqual([4, 4]);
});
